// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The events that a {@link Visit} has read, how far its worker is, and what is not recorded yet. The lock of the visit guards it. */
final class Page {

    /** A key that keeps a worker for longer delays others if it has more events, or if there is another worker for them. */
    private static final long HOT = Courier.BEAT.toNanos();

    /** The rest of the events of a key, the first of which failed. */
    record Failed(List<StoredEvent> rest, int attempts, @Nullable Throwable cause) {

        StoredEvent head() {
            return rest.getFirst();
        }
    }

    private List<StoredEvent> events = List.of();
    private boolean full;

    /** The event that is delivered now, or is next. */
    private int index;

    /** How often the first event was tried, this time included. */
    private int attempts = 1;

    /** The current key, also across pages, and since when it keeps the worker. */
    private @Nullable String currentKey;

    private long keySince;

    /** The keys that failed: their later events wait. */
    private final Set<String> failedKeys = new HashSet<>();

    private final List<StoredEvent> received = new ArrayList<>();
    private final Deque<Failed> failed = new ArrayDeque<>();

    /** Goes on with other events. */
    void turnTo(List<StoredEvent> read, boolean mayHaveMore) {
        events = read;
        full = mayHaveMore;
        index = 0;
        failedKeys.clear();
    }

    /** Notes how often the first event was tried, this time included. After more than so many, it fails: it may be what ends processes. */
    void tried(int times, int most) {
        attempts = times;
        if (times > most) {
            fail(times - 1, null);
        }
    }

    /** Returns the next event of a key that has not failed; null if there is none. */
    @Nullable StoredEvent next(long now) {
        while (index < events.size() && failedKeys.contains(current().keyId())) {
            index++;
        }
        if (index == events.size()) {
            return null;
        }
        if (!current().keyId().equals(currentKey)) {
            currentKey = current().keyId();
            keySince = now;
        }
        return current();
    }

    /** Returns the event that is delivered now. */
    StoredEvent current() {
        return events.get(index);
    }

    /** Notes that the listener has received the current event, or why not. */
    void over(@Nullable Throwable cause) {
        if (cause == null) {
            received.add(current());
            index++;
            attempts = 1;
        } else {
            fail(attempts, cause);
        }
    }

    private void fail(int times, @Nullable Throwable cause) {
        failed.add(new Failed(restOfKey(), times, cause));
        failedKeys.add(current().keyId());
    }

    /** Returns the events of the current key from the current one on. */
    private List<StoredEvent> restOfKey() {
        String key = current().keyId();
        return events.subList(index, events.size()).stream().filter(event -> event.keyId().equals(key)).toList();
    }

    /** Returns whether all is delivered or failed, and there may be more to read. */
    boolean hasMoreToRead() {
        return full && index == events.size();
    }

    /** Returns the events that were received: the caller removes what it has recorded. */
    List<StoredEvent> received() {
        return received;
    }

    /** Returns the failures: the caller removes what it has recorded. */
    Deque<Failed> failed() {
        return failed;
    }

    /** Returns how often the current event was tried, this time included. */
    int attempts() {
        return attempts;
    }

    /** Returns whether the key that is delivered now keeps the worker for too long. */
    boolean delays(long now, BooleanSupplier othersAreFree) {
        if (now - keySince < HOT) {
            return false;
        }
        String key = current().keyId();
        List<StoredEvent> later = events.subList(index + 1, events.size());
        boolean hasMore = full || later.stream().anyMatch(event -> event.keyId().equals(key));
        boolean othersWait = full || later.stream().anyMatch(event -> !event.keyId().equals(key));
        return othersWait && (hasMore || othersAreFree.getAsBoolean());
    }

    /** Leaves all other keys to another visit; returns the events of the one that is delivered now. */
    List<StoredEvent> keepCurrentKey() {
        events = restOfKey();
        index = 0;
        full = false;
        return events;
    }
}
