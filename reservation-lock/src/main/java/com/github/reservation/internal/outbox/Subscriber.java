// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.store.OutboxStore;
import com.github.reservation.internal.store.StoredEvent;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.outbox.OutboxListener;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A listener, by its id, with the classes that it wants.
 *
 * @param <E> the type of its events
 */
record Subscriber<E>(
        String id, Map<String, Class<? extends E>> classes, OutboxListener<? super E> listener, OutboxCodec codec) {

    OutboxStore.Listener stored() {
        return new OutboxStore.Listener(id, List.copyOf(classes.keySet()));
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
