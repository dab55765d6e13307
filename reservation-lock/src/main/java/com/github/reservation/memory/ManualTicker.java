// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.Ticker;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A ticker that only tests move. It wakes the threads whose deadlines it reaches. Thread-safe.
 *
 * {@snippet file="com/github/reservation/demo/TestingExamplesTest.java" region="manual-time"}
 */
public final class ManualTicker implements Ticker {

    private static final long NANOS_PER_MILLI = Duration.ofMillis(1).toNanos();
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong wallClock = new AtomicLong(System.currentTimeMillis());
    private final Map<Thread, Long> parked = new ConcurrentHashMap<>();

    /** How often the wall clock was moved, and the last of these moves that each parked thread has seen. */
    private final AtomicLong moves = new AtomicLong();

    private final Map<Thread, Long> seenMoves = Collections.synchronizedMap(new WeakHashMap<>());

    /** Creates a ticker that stands still until it is moved. */
    public ManualTicker() {}

    @Override
    public long nanos() {
        return now.get();
    }

    @Override
    public long epochMillis() {
        return wallClock.get() + now.get() / NANOS_PER_MILLI;
    }

    /**
     * Moves only the time of day: forward, as after the machine was suspended, or back if the duration is negative.
     */
    public void moveWallClock(Duration duration) {
        wallClock.addAndGet(
                Objects.requireNonNull(duration, "duration must not be null").toMillis());
        moves.incrementAndGet();
        parked.keySet().forEach(LockSupport::unpark);
    }

    /**
     * Moves both clocks forward.
     *
     * @throws IllegalArgumentException if the duration is negative, or longer than a ticker can count, about 292 years
     */
    public void advance(Duration duration) {
        Objects.requireNonNull(duration, "duration must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration must not be negative, but is " + duration);
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("duration is too long: " + duration + ", at most " + LONGEST);
        }
        long reached = now.addAndGet(duration.toNanos());
        parked.forEach((thread, deadline) -> {
            if (deadline - reached <= 0) {
                LockSupport.unpark(thread);
            }
        });
    }

    @Override
    public void parkUntil(Object blocker, long deadline) {
        Thread thread = Thread.currentThread();
        parked.put(thread, deadline);
        try {
            // Checked after the deadline is registered: a move in between unparks this thread.
            if (deadline - now.get() > 0 && !wallClockMoved(thread)) {
                LockSupport.park(blocker);
            }
        } finally {
            parked.remove(thread);
        }
    }

    /** Returns whether the wall clock was moved since the thread last parked: the thread may have read the old time. */
    private boolean wallClockMoved(Thread thread) {
        long current = moves.get();
        Long seen = seenMoves.put(thread, current);
        return current != (seen == null ? 0 : seen);
    }
}
