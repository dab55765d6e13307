// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.PostgresServer;

/** The contract on a real PostgreSQL. */
@Needs(Backend.POSTGRESQL)
class PostgreSqlStoreContractTest extends JdbcStoreContract {

    @Override
    JdbcBackend createBackend() {
        return JdbcBackend.on(PostgresServer.shared(), "postgresql");
    }
}
