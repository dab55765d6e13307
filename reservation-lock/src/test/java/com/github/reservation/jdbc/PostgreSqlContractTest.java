// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;

/** The whole contract on a real PostgreSQL. */
class PostgreSqlContractTest extends JdbcContract {

    private static final Database DATABASE = PostgresServer.shared().newDatabase();

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend(DATABASE.url(), DATABASE.user(), DATABASE.password(), "postgresql");
    }
}
