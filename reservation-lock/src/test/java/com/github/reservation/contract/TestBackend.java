// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A backend for the contract to run on: one store, any number of nodes, and its time. A new one for each test. A backend
 * that cannot do all that the contract asks for says so here, and the tests that ask for it are skipped.
 */
public abstract class TestBackend implements AutoCloseable {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    /** Returns the store that all nodes of a test share. */
    public abstract LeaseStore store();

    /** Returns the time that the managers live on. */
    public abstract Ticker ticker();

    /** Lets time pass: by sleeping, unless the ticker is driven by hand. */
    public final void passTime(Duration duration) {
        if (ticker() instanceof ManualTicker manual) {
            manual.advance(duration);
            return;
        }
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            throw new AssertionError("A test was interrupted while it let time pass", e);
        }
    }

    /** Lets a moment pass for those who wait by the clock, while a test waits for an effect. */
    public final void passAMoment() throws InterruptedException {
        if (ticker() instanceof ManualTicker manual) {
            manual.advance(Duration.ofMillis(5));
            Thread.sleep(5); // Never faster than real time: a thread that was woken must get to run.
            return;
        }
        Thread.sleep(1);
    }

    /** Returns whether leases have fencing tokens. */
    public boolean hasFencing() {
        return true;
    }

    /** Returns whether leases can be renewed. */
    public boolean canRenew() {
        return true;
    }

    /** Returns whether a lease can be longer than any calendar. */
    public boolean takesLeasesOfAnyLength() {
        return true;
    }

    /** Returns whether the store ends one lease and grants the next one in a single call. */
    public boolean passesKeys() {
        return true;
    }

    /** Returns whether nodes get a key in the order in which they began to wait for it. */
    public boolean isFairBetweenNodes() {
        return true;
    }

    /** Returns whether a node may hand the key from thread to thread for a while although another one waits. */
    public boolean aNodeMayStay() {
        return false;
    }

    /** Returns whether the store can lose an interrupt that comes while it is asked, without a trace. */
    public boolean swallowsInterrupts() {
        return false;
    }

    /** Returns whether time passes only when a test says so. */
    public final boolean isInManualTime() {
        return ticker() instanceof ManualTicker;
    }

    /** Returns how often each of eight threads takes the lock in the stress test. */
    public int roundsPerThread() {
        return 500;
    }

    /** Returns how often a release races a renewal. */
    public int racingRounds() {
        return 100;
    }

    /** Returns how long the interrupt storm lasts. */
    public Duration stormDuration() {
        return Duration.ofSeconds(10);
    }

    /** Builds a manager as a user does, if users can. */
    public ReservationManager manager(String domain, Duration leaseTime) {
        return node(domain, leaseTime);
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
        return new StoreReservationManager(store, settings(domain, leaseTime, firstPoll, longestPoll));
    }

    /** Makes a manager that renews its reservations automatically. */
    public final ReservationManager renewingNode(
            String domain, Duration leaseTime, Duration maxHold, LeaseStore store) {
        return new StoreReservationManager(
                store,
                settings(domain, leaseTime, Duration.ofMillis(10), Duration.ofMillis(100)).autoRenew(maxHold));
    }

    /** Makes a manager whose holders have this label. */
    public final ReservationManager labelledNode(String domain, Duration leaseTime, String label) {
        return new StoreReservationManager(
                store(),
                settings(domain, leaseTime, Duration.ofMillis(10), Duration.ofMillis(100)).holderLabel(label));
    }

    private ManagerSettings settings(String domain, Duration leaseTime, Duration firstPoll, Duration longestPoll) {
        return new ManagerSettings(
                domain, leaseTime, domainInKey(), firstPoll, longestPoll, ticker(), Meters.NONE);
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
