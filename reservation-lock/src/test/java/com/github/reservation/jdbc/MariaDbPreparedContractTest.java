// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.DriverContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.MariaDbServer;

/** A real MariaDB that prepares the statements, as the page of MariaDB recommends. */
@Needs(Backend.MARIADB)
class MariaDbPreparedContractTest extends DriverContract {

    @Override
    protected TestBackend createBackend() {
        return JdbcBackend.on(MariaDbServer.shared(), "mariadb", url -> url + "?useServerPrepStmts=true");
    }
}
