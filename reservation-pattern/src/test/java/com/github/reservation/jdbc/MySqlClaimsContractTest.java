// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.claim.JdbcClaimsContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.MySqlServer;

/** The contract of claims on a real MySQL. */
@Needs(Backend.MYSQL)
class MySqlClaimsContractTest extends JdbcClaimsContract {

    @Override
    protected ClaimBackend createBackend() {
        return ClaimDatabase.on(JdbcBackend.on(MySqlServer.shared(), "mysql"), "mysql", 150);
    }
}
