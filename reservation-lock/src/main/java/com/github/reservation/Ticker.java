// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.internal.base.SystemTicker;

/**
 * The clock for leases, trust and waiting. It counts elapsed nanoseconds. The time of day only shows that the machine was
 * suspended, because the monotonic clock stops then.
 *
 * <p>Production code uses {@link #system()}. Tests move time by hand with {@link com.github.reservation.memory.ManualTicker}.
 */
public interface Ticker {

    /** Returns the current reading in nanoseconds. Only the difference between two readings of one ticker has a meaning. */
    long nanos();

    /** Returns the time of day in milliseconds since the epoch. It may be set forward or back at any time. */
    long epochMillis();

    /**
     * Parks the current thread until this ticker reaches {@code deadline}, or the thread is unparked or interrupted. It may also
     * return spuriously: check the condition again, as after {@link java.util.concurrent.locks.LockSupport#park(Object)}.
     */
    void parkUntil(Object blocker, long deadline);

    /** Returns the ticker that reads {@link System#nanoTime()}. */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }
}
