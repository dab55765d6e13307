// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.TestBackend;
import java.util.UUID;

/** The whole contract through what we say to Oracle, on H2 in its Oracle mode. */
class OracleModeContractTest extends JdbcContract {

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend(
                "jdbc:oracle-mode:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", "oracle");
    }

    /** See {@link H2ContractTest}. */
    @Override
    protected boolean swallowsInterrupts() {
        return true;
    }
}
