// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;

/** The in-memory store on a ticker that tests move by hand. */
final class InMemoryBackend extends TestBackend {

    private final ManualTicker ticker = new ManualTicker();
    private final InMemoryStore store = new InMemoryStore(ticker);

    @Override
    public LeaseStore store() {
        return store.leases();
    }

    @Override
    public Ticker ticker() {
        return ticker;
    }

    @Override
    public ReservationManager manager(String domain, Duration leaseTime) {
        return ReservationManager.inMemory(store).domain(domain).leaseTime(leaseTime).build();
    }

    @Override
    public int racingRounds() {
        return 10_000;
    }
}
