// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.LossReason;
import com.github.reservation.internal.store.Log;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/** Keeps what meters throw away from the locks: the first failure is logged, then measuring goes on as well as it can. */
public final class GuardedMeters implements Meters {

    private final Meters meters;
    private final AtomicBoolean failed = new AtomicBoolean();

    public GuardedMeters(Meters meters) {
        this.meters = meters;
    }

    @Override
    public boolean wantTimes() {
        return meters.wantTimes();
    }

    @Override
    public void recordAcquisition(String domain, Duration elapsed, String result) {
        guard(() -> meters.recordAcquisition(domain, elapsed, result));
    }

    @Override
    public void recordHeld(String domain, Duration elapsed) {
        guard(() -> meters.recordHeld(domain, elapsed));
    }

    @Override
    public void recordExpiration(String domain) {
        guard(() -> meters.recordExpiration(domain));
    }

    @Override
    public void recordLoss(String domain, LossReason reason) {
        guard(() -> meters.recordLoss(domain, reason));
    }

    @Override
    public void recordNearMiss(String domain) {
        guard(() -> meters.recordNearMiss(domain));
    }

    @Override
    public void recordRenewals(String domain, String result, int count) {
        guard(() -> meters.recordRenewals(domain, result, count));
    }

    @Override
    public void recordStoreError(String domain, String kind) {
        guard(() -> meters.recordStoreError(domain, kind));
    }

    @Override
    public Registration trackWaiting(String domain, IntSupplier waiters) {
        Registration registration = meters.trackWaiting(domain, waiters);
        return () -> guard(registration::close);
    }

    @Override
    public Registration trackActive(String domain, IntSupplier holds) {
        // When a manager is built nothing can be harmed yet, and the caller should know.
        Registration registration = meters.trackActive(domain, holds);
        return () -> guard(registration::close);
    }

    private void guard(Runnable measurement) {
        try {
            measurement.run();
        } catch (Throwable e) {
            if (failed.compareAndSet(false, true)) {
                Log.warn("Reservations cannot be measured", e);
            }
        }
    }
}
