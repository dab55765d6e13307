// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;

/** The contract of claims through what we say to Oracle, on H2, in hand-driven time. */
@Needs(Backend.ORACLE_MODE)
class OracleModeClaimStoreContractTest extends JdbcClaimStoreContract {

    @Override
    JdbcBackend createBackend() {
        return new OracleModeBackend();
    }

    @Override
    String ddl() {
        return "oracle";
    }
}
