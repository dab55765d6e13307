// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.planted;

import com.github.reservation.Ticker;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that is too slow, or stands still while a call to the store takes long. To a holder with such a clock a lease seems to begin with
 * the reply.
 */
final class BrokenTicker implements Ticker {

    private static final long LONG_CALL = 200_000_000;

    private final long origin = System.nanoTime();
    private final long slowness;
    private final boolean missesWakeUps;
    private final AtomicLong stoodStillUntil = new AtomicLong(origin);
    private final AtomicLong stoodStillFor = new AtomicLong();

    /**
     * Makes a clock.
     *
     * @param slowness how many times it is slower than others
     * @param missesWakeUps whether a thread that waits misses, now and then, that another one wakes it
     */
    BrokenTicker(long slowness, boolean missesWakeUps) {
        this.slowness = slowness;
        this.missesWakeUps = missesWakeUps;
    }

    /** Lets the clock lose the time of a call, but no time twice. */
    void standStill(long start, long end) {
        if (end - start > LONG_CALL) {
            long before = stoodStillUntil.getAndUpdate(last -> Math.max(last, end));
            stoodStillFor.addAndGet(Math.max(0, end - Math.max(start, before)));
        }
    }

    @Override
    public long nanos() {
        return origin + (System.nanoTime() - origin) / slowness - stoodStillFor.get();
    }

    /** The time of day would reveal the rest of it. */
    @Override
    public long epochMillis() {
        return nanos() / 1_000_000;
    }

    @Override
    public void parkUntil(Object blocker, long deadline) {
        long left = deadline - nanos();
        if (missesWakeUps && ThreadLocalRandom.current().nextInt(50) == 0) {
            for (; left > 0; left = deadline - nanos()) {
                LockSupport.parkNanos(blocker, left);
            }
        }
        if (left > 0) {
            LockSupport.parkNanos(blocker, left * slowness);
        }
    }
}
