// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses that double from a first to a longest one, each shortened at random so that waiters do not march in step. */
public final class Backoff {

    private final long first;
    private final long longest;
    private int pauses;

    public Backoff(Duration first, Duration longest) {
        this.first = first.toNanos();
        this.longest = longest.toNanos();
    }

    /** Returns the nanoseconds to pause now: between a half and the whole of the current step. */
    public long next() {
        long step = doubled(first, pauses, longest);
        pauses++;
        return shortened(step);
    }

    /** Begins with the first pause again. */
    public void reset() {
        pauses = 0;
    }

    /** Returns a pause between a half and the whole of the step, at random. */
    public static long shortened(long step) {
        return step - ThreadLocalRandom.current().nextLong(step / 2 + 1);
    }

    /** Returns the first pause, doubled so many times, but at most the longest one. */
    public static Duration doubled(Duration first, int times, Duration longest) {
        return Duration.ofNanos(doubled(LeaseTimes.nanos(first), times, LeaseTimes.nanos(longest)));
    }

    static long doubled(long first, int times, long longest) {
        boolean fits = times < Long.numberOfLeadingZeros(first) - 1;
        return fits ? Math.min(longest, first << times) : longest;
    }
}
