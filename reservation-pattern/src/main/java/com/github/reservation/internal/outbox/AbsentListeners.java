// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.internal.outbox.OutboxStore.Wanted;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Looks once an hour for listeners, and types of them, that no instance has had for long: events pile up for them. It forgets none in the
 * first hour after a start, or after an outage of the store: until then all instances register what they have.
 */
final class AbsentListeners {

    static final Duration INTERVAL = Duration.ofHours(1);

    /** After so long without a registration there was an outage. */
    private static final Duration GAP = Duration.ofMinutes(1);

    private final OutboxPlan plan;
    private final Predicate<Wanted> here;
    private final Predicate<Wanted> drop;
    private final Set<Wanted> warned = ConcurrentHashMap.newKeySet();
    private final ReentrantLock registering = new ReentrantLock();
    private long next;
    private long lastRegistration;

    /**
     * Makes one that has not looked.
     *
     * @param here tells what this instance has
     * @param drop forgets what is still absent, and tells whether it was
     */
    AbsentListeners(OutboxPlan plan, Predicate<Wanted> here, Predicate<Wanted> drop) {
        this.plan = plan;
        this.here = here;
        this.drop = drop;
        this.lastRegistration = plan.ticker().nanos();
        this.next = plan.absence().drops() ? lastRegistration + INTERVAL.toNanos() : lastRegistration;
    }

    /** Looks on another thread, if it is time: to forget a million events takes a while. Each registration of a listener calls this. */
    void registered() {
        registering.lock();
        try {
            long now = plan.ticker().nanos();
            boolean wasAway = now - lastRegistration > GAP.toNanos() && plan.absence().drops();
            boolean isDue = now - next >= 0 && !wasAway;
            lastRegistration = now;
            next = wasAway || isDue ? now + INTERVAL.toNanos() : next;
            if (isDue) {
                Threads.execute(this::look);
            }
        } finally {
            registering.unlock();
        }
    }

    private void look() {
        try {
            plan.store().absent(plan.absence().after()).stream().filter(here.negate()).forEach(this::handle);
        } catch (StoreException | RuntimeException e) {
            Log.debug("Could not look for absent listeners; tried again in an hour", e);
        }
    }

    private void handle(Wanted absent) {
        String problem = "No instance has had listener " + absent.listener() + " with type " + absent.type() + " for "
                + plan.absence().after();
        String remedy = "forget(\"" + absent.listener() + "\", \"" + absent.type() + "\") removes them";
        if (!plan.absence().drops()) {
            if (warned.add(absent)) {
                Log.warn(problem + ". Events of this type are kept for it. If it does not come back, " + remedy, null);
            }
            return;
        }
        try {
            if (drop.test(absent)) {
                Log.warn(problem + ". It is forgotten, and the events that waited for it are removed", null);
            }
        } catch (RuntimeException e) {
            Log.warn(problem + ". It could not be forgotten with all events that wait for it: " + remedy, e);
        }
    }
}
