// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Registration;
import com.github.reservation.expiration.ApplicationEvents;
import com.github.reservation.internal.base.Guard;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Calls listeners on the thread that publishes: events stay in order, and a slow listener cannot pile them up. */
public final class LocalEvents implements ApplicationEvents {

    private final List<Listening<?>> listeners = new CopyOnWriteArrayList<>();

    @Override
    public void publish(Object event) {
        Objects.requireNonNull(event, "event must not be null");
        listeners.forEach(listening -> listening.offer(event));
    }

    @Override
    public <E> Registration on(Class<E> type, Consumer<? super E> listener) {
        Listening<E> listening = new Listening<>(
                Objects.requireNonNull(type, "type must not be null"),
                Objects.requireNonNull(listener, "listener must not be null"),
                Guard.of(listener));
        listeners.add(listening);
        return () -> listeners.remove(listening);
    }

    /** A registration: two of one listener are different, because each has its guard. */
    private record Listening<E>(Class<E> type, Consumer<? super E> listener, Guard guard) {

        void offer(Object event) {
            if (type.isInstance(event)) {
                guard.run(() -> listener.accept(type.cast(event)));
            }
        }
    }
}
