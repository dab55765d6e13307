// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.outbox.OutboxListener;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A listener, by its id, with the classes that it wants. A class and not a record: two registrations of one listener are different.
 *
 * @param <E> the type of its events
 */
final class Subscriber<E> {

    private final String id;
    private final Map<String, Class<? extends E>> classes;
    private final OutboxListener<? super E> listener;
    private final OutboxCodec codec;

    /** When the database was last made to know it; null if it was not. */
    private volatile @Nullable Long registeredAt;

    Subscriber(
            String id,
            Map<String, Class<? extends E>> classes,
            OutboxListener<? super E> listener,
            OutboxCodec codec) {
        this.id = id;
        this.classes = classes;
        this.listener = listener;
        this.codec = codec;
    }

    String id() {
        return id;
    }

    OutboxStore.Listener stored() {
        return new OutboxStore.Listener(id, List.copyOf(classes.keySet()));
    }

    @Nullable Long registeredAt() {
        return registeredAt;
    }

    void registered(long at) {
        registeredAt = at;
    }

    /** Returns whether this instance knows the type of an event. A newer instance may have registered the listener with more types. */
    boolean knows(StoredEvent event) {
        return classes.containsKey(event.type());
    }

    /** Calls the listener with an event of one of its classes. */
    void deliver(StoredEvent stored) throws Exception {
        Class<? extends E> type = Objects.requireNonNull(classes.get(stored.type()));
        E event = Objects.requireNonNull(
                codec.decode(stored.payload(), type), "The codec must not return null");
        listener.on(event, new Delivery(stored.id(), stored.key(), stored.attempts() + 1, stored.createdAt()));
    }
}
