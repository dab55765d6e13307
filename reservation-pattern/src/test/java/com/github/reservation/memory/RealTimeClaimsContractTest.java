// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.claim.ClaimsContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.internal.claim.MemoryClaims;
import java.util.Optional;

/** The contract of claims in memory, in real time. */
@Needs(Backend.MEMORY)
class RealTimeClaimsContractTest extends ClaimsContract {

    @Override
    protected ClaimBackend createBackend() {
        TestBackend time = new RealTimeBackend();
        MemoryClaims store = new MemoryClaims(time.ticker());
        return new ClaimBackend(time, store, () -> store, Optional.empty(), 1_000);
    }
}
