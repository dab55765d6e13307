// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.MariaDbServer;

/** The whole contract on a real MariaDB that prepares the statements, as the page of MariaDB recommends. */
class MariaDbPreparedContractTest extends JdbcContract {

    private static final Database DATABASE = MariaDbServer.shared().newDatabase();

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend(DATABASE.url() + "?useServerPrepStmts=true", DATABASE.user(), DATABASE.password(),
                "mariadb");
    }
}
