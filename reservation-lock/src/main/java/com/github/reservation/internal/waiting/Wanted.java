// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.base.LeaseTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants: the key, for how long, and how long it waits.
 *
 * @param maxHold how long a new lease is renewed automatically; null if it is not
 * @param holder the name of the holder, which the caller may have used before; null for a new name for each acquisition
 */
public record Wanted(
        String identifier,
        String key,
        Duration leaseTime,
        @Nullable Duration maxHold,
        Patience patience,
        @Nullable String holder) {

    /** Wants the key under a new name. */
    public Wanted(String identifier, String key, Duration leaseTime, @Nullable Duration maxHold, Patience patience) {
        this(identifier, key, leaseTime, maxHold, patience, null);
    }

    /**
     * How long a caller waits for a key, and what ends its wait.
     *
     * @param start when it began, on the ticker
     * @param waits whether it waits at all, or asks once
     * @param limited whether it takes "not in time" for an answer, also when the store fails; if not, a failure is thrown
     * @param deadline when the wait ends, on the ticker
     */
    public record Patience(long start, boolean waits, boolean limited, boolean interruptible, long deadline) {

        public static Patience none(long now) {
            return new Patience(now, false, true, false, endless(now));
        }

        public static Patience endless(long now, boolean interruptible) {
            return new Patience(now, true, false, interruptible, endless(now));
        }

        public static Patience of(long now, Duration wait) {
            boolean waits = wait.isPositive();
            return new Patience(now, waits, true, true, waits ? now + LeaseTimes.nanos(wait) : endless(now));
        }

        private static long endless(long now) {
            return now + LeaseTimes.FOREVER;
        }
    }
}
