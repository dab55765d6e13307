// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.retry.Retries;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The listeners of this instance. The database must know all of them before the first gets an event: it would remove an event that the
 * second wants, too. Somebody may make it forget a listener that runs here, by mistake. So each is registered again from time to time.
 */
final class KnownListeners {

    static final Duration AGAIN = Duration.ofSeconds(10);

    private final OutboxPlan plan;
    private final Map<String, Subscriber<?>> subscribers = new ConcurrentHashMap<>();

    /** By the id of the listener: when it was last registered. */
    private final Map<String, Long> registered = new ConcurrentHashMap<>();

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
            long now = plan.ticker().nanos();
            Long last = registered.get(subscriber.id());
            if (last == null || now - last >= AGAIN.toNanos()) {
                boolean fresh = retries.repeated(() -> plan.store().register(subscriber.stored()));
                if (fresh && last != null) {
                    Log.warn("Listener " + subscriber.id()
                            + " was forgotten although it runs here. It is registered again;"
                            + " events that other listeners have received meanwhile may be lost to it", null);
                }
                registered.put(subscriber.id(), now);
            }
        }
    }

    /** Registers the listener anew if it comes back: until then somebody may make the database forget it. */
    void left(Subscriber<?> subscriber) {
        registered.remove(subscriber.id());
    }
}
