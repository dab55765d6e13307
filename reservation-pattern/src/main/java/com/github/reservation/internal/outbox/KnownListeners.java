// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The listeners of this instance. The database must know all of them before the first gets an event: it would remove an event that the
 * second wants, too. Somebody may make it forget a listener that runs here, by mistake. So each is registered again from time to time.
 */
final class KnownListeners {

    static final Duration AGAIN = Duration.ofSeconds(10);

    private final OutboxPlan plan;

    /**
     * Held while a listener is registered or forgotten, so that no late registration brings one back that was forgotten. Never for
     * long: a thread that waits for it extends no leases.
     */
    private final Lock changing = new ReentrantLock();

    private final Map<String, Subscriber<?>> subscribers = new ConcurrentHashMap<>();

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
            if (isDue(subscriber)) {
                changing.lock();
                try {
                    if (subscriber.equals(subscribers.get(subscriber.id())) && isDue(subscriber)) {
                        register(subscriber, retries);
                    }
                } finally {
                    changing.unlock();
                }
            }
        }
    }

    private boolean isDue(Subscriber<?> subscriber) {
        Long last = subscriber.registeredAt();
        return last == null || plan.ticker().nanos() - last >= AGAIN.toNanos();
    }

    private void register(Subscriber<?> subscriber, Retries retries) throws StoreException {
        long now = plan.ticker().nanos();
        boolean fresh = retries.repeated(() -> plan.store().register(subscriber.stored()));
        boolean again = subscriber.registeredAt() != null;
        subscriber.registered(now);
        if (again && fresh) {
            Log.warn("Listener " + subscriber.id() + " was forgotten although it runs here. It is registered again;"
                    + " events that other listeners have received meanwhile may be lost to it", null);
        }
    }

    /** Makes the database forget a listener that this instance does not have, and removes what only waited for it. */
    boolean forget(String id, Retries retries) throws StoreException {
        boolean known = forgetListener(id, retries);
        OptionalLong last = OptionalLong.of(0);
        while (last.isPresent()) {
            long after = last.getAsLong();
            last = retries.repeated(() -> plan.store().removeForgotten(id, after));
        }
        return known;
    }

    private boolean forgetListener(String id, Retries retries) throws StoreException {
        changing.lock();
        try {
            if (subscribers.containsKey(id)) {
                throw new IllegalStateException("This outbox has the listener \"" + id + '"');
            }
            return retries.repeated(() -> plan.store().forget(id));
        } finally {
            changing.unlock();
        }
    }
}
