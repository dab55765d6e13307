// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.DriverContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.MariaDbServer;

/** The contract, but for fences and turns, on a table of four columns in MariaDB. */
@Needs(Backend.MARIADB)
class FourColumnsMariaDbContractTest extends DriverContract {

    @Override
    protected TestBackend createBackend() {
        return JdbcBackend.on(MariaDbServer.shared(), "mariadb").withFourColumns();
    }
}
