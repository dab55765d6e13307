// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.LossReason;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Meters that never harm a lock, see {@link MeterGuard}. */
public final class GuardedMeters implements Meters {

    private final Meters meters;
    private final MeterGuard guard = new MeterGuard("Reservations");

    public GuardedMeters(Meters meters) {
        this.meters = meters;
    }

    @Override
    public boolean wantTimes() {
        return meters.wantTimes();
    }

    @Override
    public void recordAcquisition(String domain, Duration elapsed, String result) {
        guard.run(() -> meters.recordAcquisition(domain, elapsed, result));
    }

    @Override
    public void recordHeld(String domain, Duration elapsed) {
        guard.run(() -> meters.recordHeld(domain, elapsed));
    }

    @Override
    public void recordExpiration(String domain) {
        guard.run(() -> meters.recordExpiration(domain));
    }

    @Override
    public void recordLoss(String domain, LossReason reason) {
        guard.run(() -> meters.recordLoss(domain, reason));
    }

    @Override
    public void recordNearMiss(String domain) {
        guard.run(() -> meters.recordNearMiss(domain));
    }

    @Override
    public void recordRenewals(String domain, String result, int count) {
        guard.run(() -> meters.recordRenewals(domain, result, count));
    }

    @Override
    public void recordStoreError(String domain, String kind) {
        guard.run(() -> meters.recordStoreError(domain, kind));
    }

    @Override
    public Registration trackWaiting(String domain, IntSupplier waiters) {
        Registration registration = meters.trackWaiting(domain, waiters);
        return () -> guard.run(registration::close);
    }

    @Override
    public Registration trackActive(String domain, IntSupplier holds) {
        // When a manager is built nothing can be harmed yet, and the caller should know.
        Registration registration = meters.trackActive(domain, holds);
        return () -> guard.run(registration::close);
    }
}
