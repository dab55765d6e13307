// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Ticker;
import java.time.Duration;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * When a {@link Pump} looks for events: at each poll, when a pause of this instance ends, and soon if somebody asks for it. A look that
 * takes long is made less often, whoever asks.
 *
 * <p>Not every append is announced: see {@link OutboxStore#onAppend}. So a look that was asked for is made again after a while. Any
 * thread may ask; everything else is for the thread of the pump.
 */
final class LookTimes {

    private static final int PAUSE_PER_LOOK = 10;

    /** A look may also have taken long because it waited for a connection, or because the process stood still. */
    private static final long LONGEST_PAUSE = Duration.ofMinutes(1).toNanos();

    /** By then an event that was appended without an announcement is likely to be committed. */
    private static final long AGAIN =
            OutboxStore.ANNOUNCED_EVERY.plus(Duration.ofMillis(50)).toNanos();

    /** Pauses end at multiples of it, so that many of them share a look and little is remembered. */
    private static final long GRID = Duration.ofMillis(50).toNanos();

    /** A pause ends by the clock of the store, which may be slower by a thousandth. */
    private static final long CLOCK_DIFFERENCE = 1_000;

    private final Ticker ticker;
    private final Duration pollInterval;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final NavigableSet<Long> ends = new TreeSet<>((one, other) -> Long.signum(one - other));
    private long nextPoll;
    private long earliest;
    private long again;

    LookTimes(Ticker ticker, Duration pollInterval) {
        this.ticker = ticker;
        this.pollInterval = pollInterval;
        this.nextPoll = ticker.nanos();
        this.earliest = nextPoll;
        this.again = nextPoll;
    }

    /** Asks for a look. The one that is being made does not count: it may not see what the caller wants to be seen. */
    void ask() {
        asked.set(true);
    }

    /** Returns when the next look is due, as far as is known now. */
    long next() {
        if (asked.get()) {
            return earliest;
        }
        return ends.isEmpty() || ends.first() - nextPoll > 0 ? nextPoll : later(ends.first(), earliest);
    }

    /** Begins a look, if it is time for one. */
    boolean begin() {
        long now = ticker.nanos();
        if (next() - now > 0) {
            return false;
        }
        if (asked.getAndSet(false)) {
            again = now + AGAIN;
        }
        ends.headSet(now, true).clear();
        nextPoll = now; // Until a look leads to nothing, the next one is due at once.
        return true;
    }

    /** Lets the next look be made soon: a lane or a key is free again, which the last one could not see. */
    void expectMore() {
        nextPoll = later(ticker.nanos(), earliest);
    }

    /** Has a look made at the end of a pause that begins now: an event is due then. */
    void expectAfter(Duration pause) {
        long nanos = pause.toNanos();
        long end = ticker.nanos() + nanos + nanos / CLOCK_DIFFERENCE;
        ends.add(end + GRID - Math.floorMod(end, GRID));
    }

    /** Lets the next look wait, after one since {@code start} that led to nothing. */
    void pause(long start) {
        long end = ticker.nanos();
        earliest = end + Math.min(LONGEST_PAUSE, PAUSE_PER_LOOK * (end - start));
        nextPoll = later(end + pollInterval.toNanos(), earliest);
        if (again - end > 0 && again - nextPoll < 0) {
            nextPoll = later(again, earliest);
        }
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
