// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.LeaseTimes;
import java.time.Duration;

/**
 * The pauses of a waiter that polls the store: the shortest one, which is the first, and the longest.
 */
public record PollIntervals(Duration first, Duration longest) {

    private static final Duration LIMIT = Duration.ofHours(1);

    /** How often a waiter looks that the store notifies, at least: a notification can get lost. */
    private static final Duration NOTIFIED = Duration.ofSeconds(1);

    /** Returns pauses that double. */
    Backoff backoff() {
        return new Backoff(first, longest);
    }

    /** Returns the longest pause of a waiter that the store notifies. */
    long whenNotified() {
        return Math.max(longest.toNanos(), NOTIFIED.toNanos());
    }

    /** Returns the pause that is nearest to these nanoseconds. */
    long clamp(long nanos) {
        return Math.clamp(nanos, first.toNanos(), longest.toNanos());
    }

    /** Returns the pause if it can be one. */
    public static Duration requireValid(String name, Duration pause) {
        LeaseTimes.requireValid(name, pause);
        if (pause.compareTo(LIMIT) > 0) {
            throw new IllegalArgumentException(name + " must be at most " + LIMIT + ", but is " + pause);
        }
        return pause;
    }

    /** Checks that the first pause is not longer than the longest. */
    public static void requireOrdered(Duration pollInterval, Duration maxPollInterval) {
        if (pollInterval.compareTo(maxPollInterval) > 0) {
            throw new IllegalStateException(
                    "pollInterval must not be longer than maxPollInterval, but is " + pollInterval
                            + " and " + maxPollInterval);
        }
    }
}
