// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.MariaDbServer;

/** The contract of claims on a real MariaDB. */
@Needs(Backend.MARIADB)
class MariaDbClaimStoreContractTest extends JdbcClaimStoreContract {

    @Override
    JdbcBackend createBackend() {
        return JdbcBackend.on(MariaDbServer.shared(), "mariadb");
    }

    @Override
    String ddl() {
        return "mariadb";
    }
}
