// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.MySqlServer;

/** The contract of claims on a real MySQL. */
@Needs(Backend.MYSQL)
class MySqlClaimStoreContractTest extends JdbcClaimStoreContract {

    @Override
    JdbcBackend createBackend() {
        return JdbcBackend.on(MySqlServer.shared(), "mysql");
    }

    @Override
    String ddl() {
        return "mysql";
    }
}
