// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.internal.lease.LockDomain;
import java.time.Duration;

/** The domain of a manager, for locks by name. */
final class ManagerDomain implements LockDomain {

    /** How long a lock is held at most unless its caller or the builder says so: longer than most work takes. */
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    private final StoreReservationManager manager;
    private final ManagerSettings settings;

    ManagerDomain(StoreReservationManager manager, ManagerSettings settings) {
        this.manager = manager;
        this.settings = settings;
    }

    @Override
    public String name() {
        return settings.domain();
    }

    @Override
    public Duration leaseTime() {
        return settings.leaseTime();
    }

    @Override
    public Duration maxHold(Duration leaseTime) {
        Duration maxHold = settings.maxHold() == null ? LONGEST_HOLD : settings.maxHold();
        return maxHold.compareTo(leaseTime) > 0 ? maxHold : leaseTime;
    }

    @Override
    public void requireOpen() {
        manager.requireOpen();
    }

    @Override
    public String keyOf(String lockName) {
        return manager.keyOf("lockName", lockName);
    }

    @Override
    public void measure(long start, String result) {
        manager.measure(start, result);
    }
}
