// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.Ticker;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.internal.hazelcast.HazelcastLeases;
import com.github.reservation.internal.store.LeaseStore;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A map of its own on a Hazelcast instance, for the contract. */
class HazelcastBackend extends TestBackend {

    private static final AtomicInteger MAPS = new AtomicInteger();

    private final HazelcastLeases store;

    HazelcastBackend(HazelcastInstance instance) {
        this.store = new HazelcastLeases(instance, "reservations-" + MAPS.incrementAndGet(), Duration.ofSeconds(2));
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public Ticker ticker() {
        return Ticker.system();
    }
}
