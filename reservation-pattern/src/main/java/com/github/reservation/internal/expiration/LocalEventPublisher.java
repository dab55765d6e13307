// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Registration;
import com.github.reservation.expiration.ReservationEventPublisher;
import com.github.reservation.internal.base.Guard;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Calls listeners on the thread that publishes: events stay in order, and a slow listener cannot pile them up. */
public final class LocalEventPublisher implements ReservationEventPublisher {

    private final List<Subscription<?>> subscriptions = new CopyOnWriteArrayList<>();

    @Override
    public void publish(Object event) {
        Objects.requireNonNull(event, "event must not be null");
        subscriptions.forEach(subscription -> subscription.offer(event));
    }

    @Override
    public <E> Registration subscribe(Class<E> type, Consumer<? super E> listener) {
        Subscription<E> subscription = new Subscription<>(
                Objects.requireNonNull(type, "type must not be null"),
                Objects.requireNonNull(listener, "listener must not be null"));
        subscriptions.add(subscription);
        return () -> subscriptions.remove(subscription);
    }

    /** A listener. A class and not a record: two registrations of one listener are different. */
    private static final class Subscription<E> {

        private final Class<E> type;
        private final Consumer<? super E> listener;
        private final Guard guard;

        Subscription(Class<E> type, Consumer<? super E> listener) {
            this.type = type;
            this.listener = listener;
            this.guard = Guard.of(listener);
        }

        void offer(Object event) {
            if (type.isInstance(event)) {
                guard.run(() -> listener.accept(type.cast(event)));
            }
        }
    }
}
