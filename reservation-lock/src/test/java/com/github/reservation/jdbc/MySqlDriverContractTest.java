// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.MariaDbServer;

/** The whole contract with MySQL's driver and the statements for MySQL, but on a MariaDB: it proves them as far as that goes. */
class MySqlDriverContractTest extends JdbcContract {

    private static final Database DATABASE = MariaDbServer.shared().newDatabase();

    @Override
    protected TestBackend createBackend() {
        String url = DATABASE.url().replace("jdbc:mariadb:", "jdbc:mysql:");
        return new JdbcBackend(url, DATABASE.user(), DATABASE.password(), "mariadb");
    }
}
