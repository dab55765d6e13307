// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;

/** The contract, but for fences and turns, on a table of four columns. */
@Needs(Backend.ORACLE_MODE)
class FourColumnsStoreContractTest extends JdbcStoreContract {

    @Override
    JdbcBackend createBackend() {
        return new OracleModeBackend().withFourColumns();
    }
}
