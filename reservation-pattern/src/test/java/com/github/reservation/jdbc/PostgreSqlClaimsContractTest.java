// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.claim.JdbcClaimsContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.PostgresServer;

/** The contract of claims on a real PostgreSQL. */
@Needs(Backend.POSTGRESQL)
class PostgreSqlClaimsContractTest extends JdbcClaimsContract {

    @Override
    protected ClaimBackend createBackend() {
        return ClaimDatabase.on(
                JdbcBackend.on(PostgresServer.shared(), "postgresql"), "postgresql", 1_000);
    }
}
