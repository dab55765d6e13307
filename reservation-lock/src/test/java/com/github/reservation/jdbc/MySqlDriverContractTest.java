// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.MariaDbServer;

/** The contract with MySQL's driver and the statements for MySQL, but on a MariaDB: it proves them as far as that goes. */
@Needs(Backend.MARIADB)
class MySqlDriverContractTest extends BackendContract {

    @Override
    protected TestBackend createBackend() {
        return JdbcBackend.on(
                MariaDbServer.shared(), "mariadb", url -> url.replace("jdbc:mariadb:", "jdbc:mysql:"));
    }
}
