// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.PostgresServer;

/** The contract, but for fences and turns, on a table of four columns in a real PostgreSQL. */
@Needs(Backend.POSTGRESQL)
class FourColumnsPostgreSqlStoreContractTest extends JdbcStoreContract {

    @Override
    JdbcBackend createBackend() {
        return JdbcBackend.on(PostgresServer.shared(), "postgresql").withFourColumns();
    }
}
