// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.RandomHex;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the cluster, as well as this process can know it. Members say what time it is with the messages of a topic: this
 * process sends one to itself, and the member's clock was read between the sending and the arrival. From then on the process
 * counts on its own monotonic clock, and allows for a difference of rates, until the next message.
 *
 * <p>So the time is known as an interval. A lease ends by the late end of it, and counts as over by the early one. The time of day
 * of this process does not matter. It only shows that the machine was suspended, when the monotonic clock stands still.
 */
final class ClusterClock {

    /** Microseconds since the epoch: the cluster's time is {@code lo} at least and {@code hi} at most. */
    record Moment(long lo, long hi) {}

    /** Both clocks of this process. */
    private record Reading(long nanos, long epochMillis) {

        static Reading of(Ticker ticker) {
            return new Reading(ticker.nanos(), ticker.epochMillis());
        }

        /** Returns whether the machine was suspended since the earlier reading: the clocks do not agree how long ago it was. */
        boolean isAfterSuspension(Reading earlier) {
            long counted = TimeUnit.NANOSECONDS.toMillis(nanos - earlier.nanos);
            long passed = epochMillis - earlier.epochMillis;
            return Math.abs(passed - counted) > SUSPENDED_MILLIS + counted / RATE_DIFFERENCE;
        }
    }

    /**
     * One message.
     *
     * @param sent when it was sent
     * @param received when it came back
     * @param millis what the member's clock said in between
     */
    private record Sample(Reading sent, Reading received, long millis) {

        Moment at(long now) {
            long lo = millis * 1000 + micros((now - received.nanos()) - (now - received.nanos()) / RATE_DIFFERENCE);
            long hi = (millis + 1) * 1000 + micros((now - sent.nanos()) + (now - sent.nanos()) / RATE_DIFFERENCE) + 1;
            return new Moment(lo, hi);
        }

        long uncertainty(long now) {
            Moment moment = at(now);
            return moment.hi - moment.lo;
        }
    }

    /** Clocks differ by less than a thousandth: NTP corrects a clock by half of that at most. */
    private static final long RATE_DIFFERENCE = 1000;

    private static final long REFRESH_AFTER = Duration.ofSeconds(20).toNanos();
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    /** By how much the two clocks of this process may disagree before a suspension is suspected. */
    private static final long SUSPENDED_MILLIS = 100;

    private static final char SEPARATOR = ':';

    private final Ticker ticker;
    private final Consumer<String> publish;
    private final String id = RandomHex.of(8);
    private final AtomicLong lastAsked;
    private final Lock guard = new ReentrantLock();
    private final Condition sampled = guard.newCondition();
    private volatile @Nullable Sample sample;

    /** Sends requests with {@code publish}; what comes back must be passed to {@link #answered}. */
    ClusterClock(Ticker ticker, Consumer<String> publish) {
        this.ticker = ticker;
        this.publish = publish;
        this.lastAsked = new AtomicLong(ticker.nanos() - REFRESH_AFTER);
    }

    /** Returns whether the time is known, so that {@link #now} answers at once. */
    boolean isKnown() {
        Sample known = sample;
        return known != null && !Reading.of(ticker).isAfterSuspension(known.received);
    }

    /** Returns the time; asks for it and waits for the answer if it is not known, until the deadline at most. */
    Moment now(long deadline) throws StoreException {
        Reading now = Reading.of(ticker);
        Sample known = sample;
        if (known == null || now.isAfterSuspension(known.received)) {
            return firstSample(known, deadline).at(ticker.nanos());
        }
        if (now.nanos() - known.received.nanos() > REFRESH_AFTER) {
            ask(now, PAUSE);
        }
        return known.at(now.nanos());
    }

    /** Sends a message, unless the last one is younger than {@code pause}. */
    private void ask(Reading now, long pause) {
        long last = lastAsked.get();
        if (now.nanos() - last > pause && lastAsked.compareAndSet(last, now.nanos())) {
            publish.accept(id + now.nanos() + SEPARATOR + now.epochMillis());
        }
    }

    private Sample firstSample(@Nullable Sample old, long deadline) throws StoreException {
        guard.lock();
        try {
            if (old != null && old.equals(sample)) {
                sample = null;
                lastAsked.set(ticker.nanos() - REFRESH_AFTER);
            }
            for (Sample known = sample;; known = sample) {
                if (known != null) {
                    return known;
                }
                ask(Reading.of(ticker), PAUSE / 2);
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new StoreException(Kind.UNAVAILABLE,
                            "No member of the Hazelcast cluster said what time it is");
                }
                if (sample == null) {
                    long unused = sampled.awaitNanos(Math.min(left, PAUSE));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "Interrupted while Hazelcast was asked for the time", e);
        } finally {
            guard.unlock();
        }
    }

    /**
     * Receives a message, with the time of the member that passed it on. Keeps what is more exact. A message that was under way while
     * the machine was suspended tells nothing: nobody knows how long it took.
     */
    void answered(String message, long millis) {
        if (!message.startsWith(id)) {
            return;
        }
        Reading now = Reading.of(ticker);
        int separator = message.indexOf(SEPARATOR);
        Reading sent = new Reading(
                Long.parseLong(message, id.length(), separator, 10),
                Long.parseLong(message, separator + 1, message.length(), 10));
        Sample fresh = new Sample(sent, now, millis);
        guard.lock();
        try {
            Sample known = sample;
            if (now.isAfterSuspension(sent)) {
                lastAsked.set(now.nanos() - REFRESH_AFTER);
            } else if (known == null
                    || now.isAfterSuspension(known.received)
                    || fresh.uncertainty(now.nanos()) <= known.uncertainty(now.nanos())) {
                sample = fresh;
            }
            sampled.signalAll();
        } finally {
            guard.unlock();
        }
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
