// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.claim.JdbcClaimsContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.MariaDbServer;

/** The contract of claims with MySQL's driver, statements and DDL, but on a MariaDB: it has MySQL's collation from 11.4.5 on. */
@Needs(value = Backend.MARIADB, ownServer = true) // One that is named may be older.
class MySqlDriverClaimsContractTest extends JdbcClaimsContract {

    @Override
    protected ClaimBackend createBackend() {
        return ClaimDatabase.on(
                JdbcBackend.on(
                        MariaDbServer.shared(), "mariadb", url -> url.replace("jdbc:mariadb:", "jdbc:mysql:")),
                "mysql", 50);
    }
}
