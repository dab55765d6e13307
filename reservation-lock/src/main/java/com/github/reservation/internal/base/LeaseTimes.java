// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.time.Duration;
import java.util.Objects;

/** Rules for lease times, and what they are in nanoseconds. */
public final class LeaseTimes {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

    /** Far beyond any uptime, and half of what two readings of a ticker may differ by. */
    public static final long FOREVER = Long.MAX_VALUE / 2;

    private static final Duration LONGEST_COUNTED = Duration.ofNanos(FOREVER);

    static final long NANOS_PER_MILLI = Duration.ofMillis(1).toNanos();

    private LeaseTimes() {}

    /** Returns the lease time if it can be one. */
    public static Duration requireValid(String name, Duration leaseTime) {
        Objects.requireNonNull(leaseTime, name + " must not be null");
        if (leaseTime.isZero() || leaseTime.isNegative()) {
            throw new IllegalArgumentException(name + " must be positive, but is " + leaseTime);
        }
        if (leaseTime.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(name + " must be positive, at least 1 ms, but is " + leaseTime);
        }
        if (leaseTime.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " is too long: " + leaseTime + ", at most " + Long.MAX_VALUE + " ms");
        }
        return leaseTime;
    }

    /** Returns the nanoseconds, or a time beyond all waiting if they do not fit. */
    public static long nanos(Duration duration) {
        return duration.compareTo(LONGEST_COUNTED) > 0 ? FOREVER : duration.toNanos();
    }
}
