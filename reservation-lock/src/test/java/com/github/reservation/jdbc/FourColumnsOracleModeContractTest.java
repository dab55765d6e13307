// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.CoreContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;

/** The contract, but for fences and turns, on a table of four columns in H2 that plays Oracle. */
@Needs(Backend.ORACLE_MODE)
class FourColumnsOracleModeContractTest extends CoreContract {

    @Override
    protected TestBackend createBackend() {
        return new OracleModeBackend().withFourColumns();
    }
}
