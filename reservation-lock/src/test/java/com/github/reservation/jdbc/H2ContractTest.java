// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import java.util.UUID;

/** The contract on H2 in memory. */
@Needs(Backend.H2)
class H2ContractTest extends BackendContract {

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", "h2");
    }
}
