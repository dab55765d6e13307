// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.internal.time.SystemTicker;

/**
 * The time that leases, trust and waiting are measured in: elapsed nanoseconds. The time of day only tells that the machine was
 * suspended, because the monotonic clock stands still then.
 *
 * <p>{@link #system()} is the only one for production. Tests move time by hand with
 * {@link com.github.reservation.memory.ManualTicker}.
 */
public interface Ticker {

    /** Returns the current reading; only the difference of two readings of one ticker has a meaning. */
    long nanos();

    /** Returns the time of day, in milliseconds since the epoch; it may be set back or forth at any time. */
    long epochMillis();

    /**
     * Parks the current thread until this ticker reads {@code deadline}, the thread is unparked or interrupted, or for
     * no reason at all: callers check their condition again, as after
     * {@link java.util.concurrent.locks.LockSupport#park(Object)}.
     */
    void parkUntil(Object blocker, long deadline);

    /** Returns the ticker that reads {@link System#nanoTime()}. */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }
}
