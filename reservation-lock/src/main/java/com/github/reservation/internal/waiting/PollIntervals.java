// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.time.Backoff;
import com.github.reservation.internal.time.LeaseTimes;
import java.time.Duration;

/**
 * The pauses of a waiter that polls the store: they double from the first to the longest.
 */
public record PollIntervals(Duration first, Duration longest) {

    private static final Duration LIMIT = Duration.ofHours(1);

    Backoff backoff() {
        return new Backoff(first, longest);
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
