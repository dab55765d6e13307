// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.claim.JdbcClaimsContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;

/** The contract of claims through what we say to Oracle, on H2, in hand-driven time. */
@Needs(Backend.ORACLE_MODE)
class OracleModeClaimsContractTest extends JdbcClaimsContract {

    @Override
    protected ClaimBackend createBackend() {
        return ClaimDatabase.on(
                new OracleModeBackend(), "oracle", 200);
    }
}
