// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.DriverContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.MySqlServer;

/** The contract, but for fences and turns, on a table of four columns in MySQL. */
@Needs(Backend.MYSQL)
class FourColumnsMySqlContractTest extends DriverContract {

    @Override
    protected TestBackend createBackend() {
        return JdbcBackend.on(MySqlServer.shared(), "mysql").withFourColumns();
    }
}
