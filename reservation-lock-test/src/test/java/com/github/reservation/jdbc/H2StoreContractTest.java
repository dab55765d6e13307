// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import java.util.UUID;

/** The contract on H2 in memory. */
@Needs(Backend.H2)
class H2StoreContractTest extends JdbcStoreContract {

    @Override
    JdbcBackend createBackend() {
        return new JdbcBackend("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", "h2");
    }
}
