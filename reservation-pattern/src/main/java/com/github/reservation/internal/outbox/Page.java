// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The events that a {@link Visit} has read, how far its worker is, and what is not recorded yet. The worker changes it, and the courier looks at
 * it: nobody keeps the lock during a call.
 */
final class Page {

    /** An event that takes longer delays others. */
    static final long SLOW = Duration.ofSeconds(1).toNanos();

    /** A key that keeps a worker for longer delays others if it has more events, or if there is another worker for them. */
    private static final long HOT = Courier.BEAT.toNanos();

    /** The rest of the events of a key, the first of which failed. */
    record Failed(List<StoredEvent> rest, int attempts, @Nullable Throwable cause) {

        StoredEvent head() {
            return rest.getFirst();
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private List<StoredEvent> events = List.of();
    private boolean full;

    /** The event that is delivered now, or is next. */
    private int index;

    private boolean delivering;

    /** How often the first event was tried, this time included. */
    private int attempts = 1;

    private boolean progress;

    /** The current key, also across pages, and since when it keeps the worker. */
    private @Nullable String currentKey;

    private long keySince;
    private long eventSince;

    /** The keys that failed: their later events wait. */
    private final Set<String> failedKeys = new HashSet<>();

    private final List<StoredEvent> received = new ArrayList<>();
    private final List<Failed> failed = new ArrayList<>();

    private <T> T guarded(Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable change) {
        guarded(() -> {
            change.run();
            return true;
        });
    }

    /** Notes how often the first event was tried, this time included. After more than so many, it fails: it may be what ends processes. */
    void tried(int times, int most) {
        change(() -> {
            attempts = times;
            if (times > most) {
                fail(times - 1, null);
            }
        });
    }

    /** Goes on with other events. */
    void turnTo(List<StoredEvent> read, boolean mayHaveMore) {
        change(() -> {
            events = read;
            full = mayHaveMore;
            index = 0;
            failedKeys.clear();
        });
    }

    /** Returns the next event of a key that has not failed, if there is time for one. */
    @Nullable StoredEvent next(long now, boolean hasTime) {
        return guarded(() -> {
            while (index < events.size() && failedKeys.contains(events.get(index).keyId())) {
                index++;
            }
            if (index == events.size() || !hasTime) {
                return Optional.<StoredEvent>empty();
            }
            StoredEvent event = events.get(index);
            if (!event.keyId().equals(currentKey)) {
                currentKey = event.keyId();
                keySince = now;
            }
            eventSince = now;
            delivering = true;
            return Optional.of(event);
        }).orElse(null);
    }

    /** Notes that the listener has received the current event, or why not. */
    void over(@Nullable Throwable cause) {
        change(() -> {
            delivering = false;
            if (cause == null) {
                received.add(events.get(index++));
                progress = true;
                attempts = 1;
            } else {
                fail(attempts, cause);
            }
        });
    }

    private void fail(int times, @Nullable Throwable cause) {
        failed.add(new Failed(restOfKey(), times, cause));
        failedKeys.add(events.get(index).keyId());
    }

    /** Returns the events of the current key from the current one on. */
    private List<StoredEvent> restOfKey() {
        String key = events.get(index).keyId();
        return events.subList(index, events.size()).stream().filter(event -> event.keyId().equals(key)).toList();
    }

    /** Returns whether all is delivered or failed, and there may be more to read. */
    boolean hasMoreToRead() {
        return guarded(() -> full && index == events.size());
    }

    /** Returns the events that were received, but are not recorded. */
    List<StoredEvent> received() {
        return guarded(() -> List.copyOf(received));
    }

    /** Returns the failures that are not recorded. */
    List<Failed> failed() {
        return guarded(() -> List.copyOf(failed));
    }

    void recordedReceived(int count) {
        change(() -> received.subList(0, count).clear());
    }

    void recordedFailed() {
        change(failed::removeFirst);
    }

    /** Returns how often the first event that is left was tried. */
    int attemptsLeft() {
        return guarded(() -> progress ? 0 : attempts - 1);
    }

    /** Returns how often the current event was tried, this time included. */
    int attempts() {
        return guarded(() -> attempts);
    }

    /** Returns the event that is delivered now. */
    Optional<StoredEvent> current() {
        return guarded(() -> delivering ? Optional.of(events.get(index)) : Optional.empty());
    }

    /** Returns whether one delivery takes long. */
    boolean isSlow(long now) {
        return guarded(() -> delivering && now - eventSince >= SLOW);
    }

    /** Returns whether the current key keeps the worker for too long. */
    boolean delays(long now, BooleanSupplier othersAreFree) {
        return guarded(() -> {
            if (!delivering || now - keySince < HOT) {
                return false;
            }
            String key = events.get(index).keyId();
            List<StoredEvent> later = events.subList(index + 1, events.size());
            boolean hasMore = full || later.stream().anyMatch(event -> event.keyId().equals(key));
            boolean othersWait = full || later.stream().anyMatch(event -> !event.keyId().equals(key));
            return now - eventSince >= SLOW || (othersWait && (hasMore || othersAreFree.getAsBoolean()));
        });
    }

    /** Leaves the other keys to another visit; returns the events of the current one. */
    List<StoredEvent> keepCurrentKey() {
        return guarded(() -> {
            if (!delivering) {
                return List.of();
            }
            events = restOfKey();
            index = 0;
            full = false;
            return Objects.requireNonNull(events);
        });
    }
}
