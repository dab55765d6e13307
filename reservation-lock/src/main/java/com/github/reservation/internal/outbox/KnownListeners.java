// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.retry.Retries;
import com.github.reservation.internal.store.StoreException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The listeners of this instance. The database must know all of them before the first gets an event: it would remove an event that the
 * second wants, too.
 */
final class KnownListeners {

    private final OutboxPlan plan;
    private final Map<String, Subscriber<?>> subscribers = new ConcurrentHashMap<>();
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    KnownListeners(OutboxPlan plan) {
        this.plan = plan;
    }

    /** Returns the listeners by their ids. */
    Map<String, Subscriber<?>> subscribers() {
        return subscribers;
    }

    /** Makes the database know all listeners. */
    void register(Retries retries) throws StoreException {
        for (Subscriber<?> subscriber : subscribers.values()) {
            if (!registered.contains(subscriber.id())) {
                retries.repeated(() -> {
                    plan.store().register(subscriber.stored());
                    return true;
                });
                registered.add(subscriber.id());
            }
        }
    }

    /** Registers the listener anew if it comes back: until then somebody may make the database forget it. */
    void left(Subscriber<?> subscriber) {
        registered.remove(subscriber.id());
    }
}
