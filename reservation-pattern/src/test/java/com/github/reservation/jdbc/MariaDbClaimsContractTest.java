// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.claim.JdbcClaimsContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.MariaDbServer;

/** The contract of claims on a real MariaDB. */
@Needs(Backend.MARIADB)
class MariaDbClaimsContractTest extends JdbcClaimsContract {

    @Override
    protected ClaimBackend createBackend() {
        return ClaimDatabase.on(
                JdbcBackend.on(MariaDbServer.shared(), "mariadb"), "mariadb", 150);
    }
}
