// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses that double from a first to a longest one, each shortened at random so that waiters do not march in step. */
public final class Backoff {

    private final long longest;
    private long next;

    public Backoff(Duration first, Duration longest) {
        this.next = first.toNanos();
        this.longest = longest.toNanos();
    }

    /** Returns the nanoseconds to pause now: between a half and the whole of the current step. */
    public long next() {
        long step = next;
        next = Math.min(longest, step * 2);
        return shortened(step);
    }

    /** Returns a pause between a half and the whole of the step, at random. */
    public static long shortened(long step) {
        return step - ThreadLocalRandom.current().nextLong(step / 2 + 1);
    }
}
