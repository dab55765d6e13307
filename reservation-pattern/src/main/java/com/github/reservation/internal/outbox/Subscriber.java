// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.outbox.OutboxListener;
import com.github.reservation.outbox.OutboxStart;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A listener, by its id, with the classes that it wants. A class and not a record: two registrations of one listener are different.
 *
 * @param <E> the type of its events
 */
final class Subscriber<E> {

    private final String id;
    private final Map<String, Class<? extends E>> classes;
    private final OutboxStart start;
    private final OutboxListener<? super E> listener;
    private final OutboxCodec codec;

    /** Those of its failures that are tried again, and the others. */
    private final RareWarning failures = new RareWarning();

    private final RareWarning parked = new RareWarning();

    /** Those of which a warning has told. */
    private final Set<String> unknownTypes = ConcurrentHashMap.newKeySet();

    /** When the database was last made to know it; null if it was not. */
    private volatile @Nullable Long registeredAt;

    Subscriber(
            String id,
            Map<String, Class<? extends E>> classes,
            OutboxStart start,
            OutboxListener<? super E> listener,
            OutboxCodec codec) {
        this.id = id;
        this.classes = classes;
        this.start = start;
        this.listener = listener;
        this.codec = codec;
    }

    String id() {
        return id;
    }

    /** If it was forgotten while it runs, it has received what is kept for others. */
    OutboxStore.Listener stored() {
        return new OutboxStore.Listener(
                id, classes.keySet(), registeredAt == null ? start : OutboxStart.NEW_EVENTS);
    }

    @Nullable Long registeredAt() {
        return registeredAt;
    }

    void registered(long at) {
        registeredAt = at;
    }

    RareWarning warnings(boolean ofParked) {
        return ofParked ? parked : failures;
    }

    boolean wants(String type) {
        return classes.containsKey(type);
    }

    /** Calls the listener with an event of one of its classes. One that was removed meanwhile needs no call. */
    void deliver(StoredEvent stored, int attempt) throws Exception {
        if (stored.payload() == null) {
            return;
        }
        Class<? extends E> type = classes.get(stored.type());
        if (type == null) {
            throw unknown(stored.type());
        }
        E event = Objects.requireNonNull(
                codec.decode(stored.payload(), type), "The codec must not return null");
        listener.on(event, new Delivery(stored.id(), stored.key(), attempt, stored.createdAt()));
    }

    /** Another instance, with another version of the program, may know the type: the event is left to it. */
    private IllegalStateException unknown(String type) {
        String problem = "Listener " + id + " does not want type " + type
                + " in this instance, but in another one, or did before."
                + " If no instance wants it any more, forget(\"" + id + "\", \"" + type + "\") removes these events";
        if (unknownTypes.add(type)) {
            Log.warn(problem + ". Until then they are tried again, and delay the later events of their keys", null);
        }
        return new IllegalStateException(problem);
    }
}
