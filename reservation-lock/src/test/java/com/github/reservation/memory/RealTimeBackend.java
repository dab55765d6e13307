// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.Ticker;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;

/** The in-memory store in the time of the JVM. */
class RealTimeBackend extends TestBackend {

    private final InMemoryStore store = new InMemoryStore();

    @Override
    public LeaseStore store() {
        return store.leases();
    }

    @Override
    public Ticker ticker() {
        return store.ticker();
    }

    @Override
    public Duration stormDuration() {
        return Duration.ofSeconds(3);
    }
}
