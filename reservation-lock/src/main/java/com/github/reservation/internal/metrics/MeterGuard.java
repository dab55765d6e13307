// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.internal.base.Log;
import java.util.concurrent.atomic.AtomicBoolean;

/** Keeps what meters throw away from those who are measured: the first failure is logged, then measuring goes on as well as it can. */
public final class MeterGuard {

    private final String subject;
    private final AtomicBoolean failed = new AtomicBoolean();

    /** Names {@code subject} in the log if it cannot be measured. */
    public MeterGuard(String subject) {
        this.subject = subject;
    }

    /** Makes a measurement; throws nothing. */
    public void run(Runnable measurement) {
        try {
            measurement.run();
        } catch (Throwable e) {
            if (failed.compareAndSet(false, true)) {
                Log.warn(subject + " cannot be measured", e);
            }
        }
    }
}
