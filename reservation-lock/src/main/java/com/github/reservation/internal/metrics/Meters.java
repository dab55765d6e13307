// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.internal.metrics.Instruments.Meter;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What is measured of locks. Tags carry the domain, never the identifier: there is no end of those. */
public final class Meters {

    private static final Meter ACQUIRE =
            new Meter("reservation.acquire", "Time to acquire a reservation, or to fail to");
    private static final Meter ATTEMPTS =
            new Meter("reservation.acquire.attempts", "Calls of the lock and tryLock methods");
    private static final Meter HELD =
            new Meter("reservation.held.time", "Time from acquisition to unlock or loss");
    private static final Meter EXPIRED =
            new Meter("reservation.expired", "Reservations that were lost before they were unlocked");
    private static final Meter LOST = new Meter("reservation.lost", "Reservations that were lost, by reason");
    private static final Meter NEAR_MISSES = new Meter(
            "reservation.near.misses",
            "Reservations that were released when less than a tenth of their lease was left");
    private static final Meter RENEWALS = new Meter("reservation.renewals", "Renewals of leases");
    private static final Meter STORE_ERRORS =
            new Meter("reservation.store.errors", "Calls that the store did not answer");
    private static final Meter WAITING =
            new Meter("reservation.waiting", "Threads of this process that wait for a reservation");
    private static final Meter ACTIVE =
            new Meter("reservation.active", "Reservations held by this process, as far as they can be trusted");

    /** Reports nothing. */
    public static final Meters NONE = new Meters(Instruments.NONE);

    private static final String DOMAIN = "domain";

    private final Instruments instruments;

    /** Reports to instruments that tag all meters with the backend. */
    public Meters(Instruments instruments) {
        this.instruments = instruments;
    }

    /** Returns meters for the registry, or none. */
    public static Meters of(@Nullable Object registry, String backend) {
        return registry == null ? NONE : new Meters(Instruments.of(registry, "Reservations", "backend", backend));
    }

    /** Returns whether times are wanted at all: to take them costs something. */
    public boolean wantTimes() {
        return instruments.areOn();
    }

    /** Counts and times one call of a {@code lock} or {@code tryLock} method. */
    public void recordAcquisition(String domain, Duration elapsed, String result) {
        instruments.time(ACQUIRE, elapsed, DOMAIN, domain, "result", result);
        instruments.count(ATTEMPTS, 1, DOMAIN, domain, "result", result);
    }

    /** Times one hold from its acquisition to its end, by unlock or by loss. */
    public void recordHeld(String domain, Duration elapsed) {
        instruments.time(HELD, elapsed, DOMAIN, domain);
    }

    /** Counts a hold that was lost before it was unlocked. */
    public void recordExpiration(String domain) {
        instruments.count(EXPIRED, 1, DOMAIN, domain);
    }

    /** Counts a hold that was lost, by its reason. */
    public void recordLoss(String domain, LossReason reason) {
        instruments.count(LOST, 1, DOMAIN, domain, "reason", reason.name().toLowerCase(Locale.ROOT));
    }

    /** Counts a hold that was released when less than a tenth of its lease was left. */
    public void recordNearMiss(String domain) {
        instruments.count(NEAR_MISSES, 1, DOMAIN, domain);
    }

    /** Counts renewals: {@code renewed}, {@code lost} or {@code error}. */
    public void recordRenewals(String domain, String result, int count) {
        if (count > 0 && instruments.areOn()) {
            instruments.count(RENEWALS, count, DOMAIN, domain, "result", result);
        }
    }

    /** Counts a call that the store did not answer. Claims and outboxes count them too, each as a domain of its own. */
    public void recordStoreError(String domain, StoreException failure) {
        instruments.count(
                STORE_ERRORS, 1, DOMAIN, domain, "kind", failure.kind().name().toLowerCase(Locale.ROOT));
    }

    /** Has the number of waiting threads read from the supplier until the result is closed. */
    public Registration trackWaiting(String domain, IntSupplier waiters) {
        return instruments.sum(WAITING, waiters, DOMAIN, domain);
    }

    /** Has the number of holds read from the supplier until the result is closed. */
    public Registration trackActive(String domain, IntSupplier holds) {
        return instruments.sum(ACTIVE, holds, DOMAIN, domain);
    }
}
