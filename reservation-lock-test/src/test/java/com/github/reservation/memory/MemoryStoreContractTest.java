// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.test.StoreContract;
import java.time.Duration;

/** The contract on the in-memory store, in hand-driven time. */
@SideBySide
@Needs(Backend.MEMORY)
class MemoryStoreContractTest extends StoreContract {

    private final ManualTicker ticker = new ManualTicker();
    private final InMemoryStore store = new InMemoryStore(ticker);

    @Override
    protected LeaseStore openStore() {
        return store.leases();
    }

    @Override
    protected void passTime(Duration time) {
        ticker.advance(time);
    }
}
