// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import java.time.Duration;

/** Rules for the pauses of a waiter that asks the store again and again. */
public final class PollIntervals {

    private static final Duration LONGEST = Duration.ofHours(1);

    private PollIntervals() {}

    /** Returns the pause if it can be one. */
    public static Duration requireValid(String name, Duration pause) {
        LeaseTimes.requireValid(name, pause);
        if (pause.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be at most " + LONGEST + ", but is " + pause);
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
