// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.LossReason;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Where the core reports what happens. Knows nothing of Micrometer, which need not be there. */
public interface Meters {

    /** Reports nothing. */
    Meters NONE = new Meters() {
        @Override
        public boolean wantTimes() {
            return false;
        }
    };

    /** Returns whether times are wanted at all: to take them costs something. */
    default boolean wantTimes() {
        return true;
    }

    /** Counts and times one call of a {@code lock} or {@code tryLock} method. */
    default void recordAcquisition(String domain, Duration elapsed, String result) {}

    /** Times one hold from its acquisition to its end, by unlock or by loss. */
    default void recordHeld(String domain, Duration elapsed) {}

    /** Counts a hold that was lost before it was unlocked. */
    default void recordExpiration(String domain) {}

    /** Counts a hold that was lost, by its reason. */
    default void recordLoss(String domain, LossReason reason) {}

    /** Counts a hold that was released when less than a tenth of its lease was left. */
    default void recordNearMiss(String domain) {}

    /** Counts renewals: {@code renewed}, {@code lost} or {@code error}. */
    default void recordRenewals(String domain, String result, int count) {}

    /** Counts a call that the store did not answer. */
    default void recordStoreError(String domain, String kind) {}

    /** Has the number of waiting threads read from the supplier until the result is closed. */
    default Registration trackWaiting(String domain, IntSupplier waiters) {
        return () -> {};
    }

    /** Has the number of holds read from the supplier until the result is closed. */
    default Registration trackActive(String domain, IntSupplier holds) {
        return () -> {};
    }

    /** Ends what {@link #trackActive} or {@link #trackWaiting} began. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
