// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.CoreContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;

/** The whole contract through what we say to Oracle, on H2. {@code OracleReservationManagerTest} is in real time. */
@Needs(Backend.ORACLE_MODE)
class OracleModeContractTest extends CoreContract {

    @Override
    protected TestBackend createBackend() {
        return new OracleModeBackend();
    }
}
