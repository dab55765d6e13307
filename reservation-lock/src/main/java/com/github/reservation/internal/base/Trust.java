// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.time.Duration;

/**
 * How long a holder may trust a lease. Not to the end of the lease, because its clock and the store's may run at different
 * rates.
 *
 * <p>The monotonic clock decides. It stands still while the machine is suspended, and the store's does not: so trust is over,
 * too, if the wall clock says that the lease ended more than a second ago. A wall clock that is set back changes nothing.
 *
 * @param until the end of trust on the monotonic clock
 * @param surelyOver when the lease is over for sure by the wall clock, in milliseconds since the epoch
 */
public record Trust(long until, long surelyOver) {

    private static final long LEAST_MARGIN = Duration.ofMillis(50).toNanos();
    private static final Duration WALL_CLOCK_TOLERANCE = Duration.ofSeconds(1);

    /** Returns the trust in a lease that was asked for at {@code sent}. */
    public static Trust of(Reading sent, Duration leaseTime) {
        long lease = LeaseTimes.nanos(leaseTime);
        long margin = Math.min(Math.max(LEAST_MARGIN, lease / 100), lease / 2);
        return new Trust(
                sent.nanos() + lease - margin,
                sent.plus(leaseTime).plus(WALL_CLOCK_TOLERANCE).epochMillis() + 1);
    }

    /** Returns what ends at a time of the monotonic clock, whatever the wall clock says. */
    public static Trust until(long nanos) {
        return new Trust(nanos, Long.MAX_VALUE / 2);
    }

    /** Returns how many nanoseconds are left; zero or less if the lease may not be trusted any more. */
    public long left(Reading now) {
        long millis = Math.min(surelyOver - now.epochMillis(), LeaseTimes.FOREVER / LeaseTimes.NANOS_PER_MILLI);
        return Math.min(until - now.nanos(), millis * LeaseTimes.NANOS_PER_MILLI);
    }

    /** Returns what ends with the first of both, on either clock. */
    public Trust earlierOf(Trust other) {
        return new Trust(until - other.until < 0 ? until : other.until, Math.min(surelyOver, other.surelyOver));
    }

    /** Returns whether this may end before the other one, on either clock. */
    public boolean isBefore(Trust other) {
        return until - other.until < 0 || surelyOver < other.surelyOver;
    }

    /** Returns the trust in a lease that was renewed, never less than before on either clock. */
    public Trust orLonger(Trust renewed) {
        return new Trust(
                until - renewed.until >= 0 ? until : renewed.until, Math.max(surelyOver, renewed.surelyOver));
    }
}
