// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The events that a {@link Visit} has read, how far its worker is, and what is not recorded yet. The lock of the visit guards it. */
final class Page {

    /** A key that keeps a worker for longer delays others if it has more events, or if there is another worker for them. */
    private static final long HOT = Courier.BEAT.toNanos();

    /** It forgets how long they took if there are more: a hot key will be noticed later. */
    private static final int MOST_KEYS = 1_000;

    private List<StoredEvent> events = List.of();
    private boolean full;

    /** The event that is delivered now, or is next. */
    private int index;

    /** How often that event was tried, this time included. */
    private int attempts = 1;

    /** For how many nanoseconds each key has kept the worker, also across pages. */
    private final Map<String, Long> kept = new HashMap<>();

    private final List<StoredEvent> received = new ArrayList<>();

    /** Goes on with other events. */
    void turnTo(List<StoredEvent> read, boolean mayHaveMore) {
        events = read;
        full = mayHaveMore;
        index = 0;
    }

    /** Notes how often the first event was tried, this time included. */
    void tried(int times) {
        attempts = times;
    }

    /** Returns the next event; null if there is none. */
    @Nullable StoredEvent next() {
        return index == events.size() ? null : current();
    }

    /** Returns the event that is delivered now, or is next. */
    StoredEvent current() {
        return events.get(index);
    }

    /** Returns how often that event was tried, this time included. */
    int attempts() {
        return attempts;
    }

    /** Notes that the listener has received the current event, after so many nanoseconds. */
    void receive(long nanos) {
        if (kept.size() == MOST_KEYS) {
            kept.clear();
        }
        kept.merge(current().keyId(), nanos, Long::sum);
        received.add(current());
        index++;
        attempts = 1;
    }

    /** Returns the events that were received: the caller removes what it has recorded. */
    List<StoredEvent> received() {
        return received;
    }

    /** Leaves the current key to another visit; returns its events from the current one on. */
    List<StoredEvent> dropCurrentKey() {
        List<StoredEvent> dropped = rest(true);
        events = rest(false);
        index = 0;
        attempts = 1;
        return dropped;
    }

    /** Leaves all other keys to another visit; returns the events of the current one. */
    List<StoredEvent> keepCurrentKey() {
        events = rest(true);
        index = 0;
        full = false;
        return events;
    }

    /** Returns the events from the current one on: those of its key, or the others. */
    private List<StoredEvent> rest(boolean ofCurrentKey) {
        String key = current().keyId();
        return events.subList(index, events.size()).stream()
                .filter(event -> event.keyId().equals(key) == ofCurrentKey)
                .toList();
    }

    /** Returns whether all is delivered or dropped, and there may be more to read. */
    boolean hasMoreToRead() {
        return full && index == events.size();
    }

    /** Returns whether the key whose event has been delivered for so many nanoseconds keeps the worker for too long. */
    boolean delays(long nanos, BooleanSupplier othersAreFree) {
        if (kept.getOrDefault(current().keyId(), 0L) + nanos < HOT) {
            return false;
        }
        boolean hasMore = full || rest(true).size() > 1;
        boolean othersWait = full || !rest(false).isEmpty();
        return othersWait && (hasMore || othersAreFree.getAsBoolean());
    }
}
