// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.claim.MemoryClaims;
import com.github.reservation.test.ClaimStoreContract;
import java.time.Duration;

/** The contract on claims in memory, in hand-driven time. */
@SideBySide
@Needs(Backend.MEMORY)
class MemoryClaimStoreContractTest extends ClaimStoreContract {

    private final ManualTicker ticker = new ManualTicker();
    private final ClaimStore store = new MemoryClaims(ticker);

    @Override
    protected ClaimStore openStore() {
        return store;
    }

    @Override
    protected void passTime(Duration time) {
        ticker.advance(time);
    }
}
