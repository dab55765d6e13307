// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.TestBackend;
import java.util.UUID;

/** The whole contract on H2 in memory. */
class H2ContractTest extends JdbcContract {

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", "h2");
    }

    /** H2 catches and ignores an interrupt while it waits for a row or a page; nobody outside can notice. */
    @Override
    protected boolean swallowsInterrupts() {
        return true;
    }
}
