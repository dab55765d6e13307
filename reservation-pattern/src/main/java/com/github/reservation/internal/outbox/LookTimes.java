// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a {@link Courier} looks for events: at each poll, when a key is due, and at once if somebody asks for it.
 *
 * <p>Not every append is announced: see {@link OutboxStore#onAppend}. So a look that was asked for is made again after a while. It is
 * thread-safe.
 */
final class LookTimes {

    /** By then an event that was appended without an announcement is likely to be committed. */
    private static final long AGAIN =
            OutboxStore.ANNOUNCED_EVERY.plus(Duration.ofMillis(50)).toNanos();

    private final Ticker ticker;
    private final long pollInterval;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicLong next;
    private volatile long again;

    LookTimes(Ticker ticker, Duration pollInterval) {
        this.ticker = ticker;
        this.pollInterval = pollInterval.toNanos();
        this.again = ticker.nanos();
        this.next = new AtomicLong(again);
    }

    /** Asks for a look. The one that is being made does not count: it may not see what the caller wants to be seen. */
    void ask() {
        asked.set(true);
    }

    /** Has a look made at the end of a pause that begins now, if none is made before. */
    void expectAfter(Duration pause) {
        next.accumulateAndGet(ticker.nanos() + pause.toNanos(), LookTimes::earlier);
    }

    /** Returns whether a look is wanted at once. */
    boolean isWanted() {
        return asked.get();
    }

    /** Returns when the next look is due, as far as is known now. */
    long next() {
        return isWanted() ? ticker.nanos() : next.get();
    }

    /** Begins a look, if it is time for one. The next one is made after the poll interval, unless something is expected before. */
    boolean begin() {
        long now = ticker.nanos();
        boolean wanted = asked.getAndSet(false);
        if (!wanted && next.get() - now > 0) {
            return false;
        }
        again = wanted ? now + AGAIN : again;
        next.set(again - now > 0 ? earlier(again, now + pollInterval) : now + pollInterval);
        return true;
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }
}
