// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.internal.hazelcast.HazelcastLeaseStore;
import com.github.reservation.store.LeaseStore;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A map of its own on a Hazelcast instance, for the contract. */
class HazelcastBackend extends TestBackend {

    private static final AtomicInteger MAPS = new AtomicInteger();

    private final HazelcastInstance instance;
    private final int number = MAPS.incrementAndGet();
    private final HazelcastLeaseStore store;

    HazelcastBackend(HazelcastInstance instance) {
        this.instance = instance;
        this.store = new HazelcastLeaseStore(instance, "reservations-" + number, Duration.ofSeconds(2));
    }

    @Override
    public ReservationManager manager(String domain, Duration leaseTime) {
        return ReservationManager.hazelcast(instance)
                .mapPrefix("built-" + number)
                .domain(domain)
                .leaseTime(leaseTime)
                .build();
    }

    @Override
    public int roundsPerThread() {
        return 100;
    }

    @Override
    public Duration stormDuration() {
        return Duration.ofSeconds(3);
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
