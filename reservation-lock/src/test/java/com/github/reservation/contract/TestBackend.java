// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.store.LeaseStore;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A backend for the contract to run on: one store, any number of nodes, and its time. A new one for each test. */
public abstract class TestBackend implements AutoCloseable {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** Returns the store that all nodes of a test share. */
    public abstract LeaseStore store();

    /** Returns the time that the managers live on. */
    public abstract Ticker ticker();

    /** Lets time pass: by sleeping, unless the ticker is driven by hand. */
    public void passTime(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            throw new AssertionError("A test was interrupted while it let time pass", e);
        }
    }

    /** Lets a moment pass for those who wait by the clock, while a test waits for an effect. */
    public void passAMoment() throws InterruptedException {
        Thread.sleep(1);
    }

    /** Returns whether keys name their domain. */
    protected boolean domainInKey() {
        return true;
    }

    @Override
    public void close() {}

    /** Makes a manager as one node of a cluster. */
    public final ReservationManager node(String domain, Duration leaseTime) {
        return node(domain, leaseTime, store());
    }

    /** Makes a manager on a store that stands in front of the real one. */
    public final ReservationManager node(String domain, Duration leaseTime, LeaseStore store) {
        return node(domain, leaseTime, store, Duration.ofMillis(10), Duration.ofMillis(100));
    }

    /** Makes a manager whose waiters ask after other pauses. */
    public final ReservationManager node(
            String domain, Duration leaseTime, LeaseStore store, Duration firstPoll, Duration longestPoll) {
        return new StoreReservationManager(
                store,
                new ManagerSettings(
                        domain,
                        leaseTime,
                        domainInKey(),
                        firstPoll,
                        longestPoll,
                        ticker(),
                        Meters.NONE));
    }

    /** Waits for an effect that must come. */
    public final void await(String what, BooleanSupplier condition) throws InterruptedException {
        long giveUp = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - giveUp > 0) {
                throw new AssertionError("Did not happen: " + what);
            }
            passAMoment();
        }
    }
}
