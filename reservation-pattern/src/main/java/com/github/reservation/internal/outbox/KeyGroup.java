// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The events of one key that were read together. A worker delivers them one after another; the {@link Pump} may take the group back
 * before, or let it end after the event that is being delivered.
 */
final class KeyGroup {

    private enum State {
        WAITING, RUNNING, OVER
    }

    private final List<StoredEvent> events;
    private final Ticker ticker;
    private final long trustedUntil;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile boolean stopping;

    /** The index of the event that is delivered now: those before it are delivered. */
    private volatile int current;

    private volatile @Nullable Throwable failure;

    /** How many of the first events are recorded as delivered. Only for the thread of the pump. */
    private int recorded;

    /** How many groups of the page are not over. */
    private final AtomicInteger left;

    KeyGroup(List<StoredEvent> events, AtomicInteger left, long trustedUntil, Ticker ticker) {
        this.events = events;
        this.left = left;
        this.trustedUntil = trustedUntil;
        this.ticker = ticker;
    }

    /**
     * Delivers the events, until one fails, or the pump or the end of the lease stops it.
     *
     * @return whether the pump waits for the end of the group: it was the last one of its page, or the page did not wait for it
     */
    boolean run(Subscriber<?> subscriber) {
        if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
            return false;
        }
        try {
            while (current < events.size() && !stopping && trustedUntil - ticker.nanos() > 0) {
                subscriber.deliver(events.get(current));
                advance();
            }
        } catch (Throwable e) {
            failure = e;
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // A caller that delivers itself learns of it.
            }
        } finally {
            state.set(State.OVER);
        }
        return left.decrementAndGet() == 0 || stopping;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the worker writes it.
    private void advance() {
        current++;
    }

    /** Takes a group back that no worker has begun. */
    boolean takeBack() {
        boolean taken = state.compareAndSet(State.WAITING, State.OVER);
        if (taken) {
            left.decrementAndGet();
        }
        return taken;
    }

    boolean isOver() {
        return state.get() == State.OVER;
    }

    /**
     * Lets the group end after the event that is being delivered.
     *
     * @return the index of that event; the number of events if there is no more
     */
    int stop() {
        stopping = true;
        return current;
    }

    StoredEvent event(int index) {
        return events.get(index);
    }

    int size() {
        return events.size();
    }

    /** Returns how many events were delivered so far. */
    int delivered() {
        return current;
    }

    /** Returns those of the first events that are not recorded as delivered. */
    List<StoredEvent> unrecorded(int count) {
        return events.subList(recorded, count);
    }

    /** Notes that the first events are recorded as delivered. */
    void recorded(int count) {
        recorded = count;
    }

    /** Returns the event that failed; ask only a group that is over. */
    Optional<Failed> failed() {
        Throwable cause = failure;
        return cause == null ? Optional.empty() : Optional.of(new Failed(events.get(current), cause));
    }

    /** An event and what its listener threw. */
    record Failed(StoredEvent event, Throwable cause) {}
}
