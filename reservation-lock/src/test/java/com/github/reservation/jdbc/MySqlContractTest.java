// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.MySqlServer;

/** The contract on a real MySQL, reached as its page recommends. */
@Needs(Backend.MYSQL)
class MySqlContractTest extends BackendContract {

    @Override
    protected TestBackend createBackend() {
        return JdbcBackend.on(MySqlServer.shared(), "mysql", url -> url + "?useLocalSessionState=true");
    }
}
