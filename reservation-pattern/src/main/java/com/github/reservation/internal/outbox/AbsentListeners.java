// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.internal.outbox.OutboxStore.Wanted;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Looks once an hour for listeners, and types of them, that no instance has had for long: events pile up for them. It forgets none in the
 * first hour, in which all instances that are started again register what they have.
 */
final class AbsentListeners {

    static final Duration INTERVAL = Duration.ofHours(1);

    private final OutboxPlan plan;
    private final Predicate<Wanted> here;
    private final Predicate<Wanted> drop;
    private final Set<Wanted> warned = ConcurrentHashMap.newKeySet();
    private final AtomicLong next;

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
        this.next = new AtomicLong(plan.ticker().nanos() + (plan.absence().drops() ? INTERVAL.toNanos() : 0));
    }

    /** Looks on another thread, if it is time: to forget a million events takes a while. */
    void lookIfDue() {
        long now = plan.ticker().nanos();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + INTERVAL.toNanos())) {
            Threads.execute(this::look);
        }
    }

    private void look() {
        try {
            Duration after = plan.absence().after();
            for (Wanted absent : plan.store().absent(after).stream().filter(here.negate()).toList()) {
                String problem =
                        "No instance has had listener " + absent.listener() + " with type " + absent.type() + " for "
                                + after;
                if (plan.absence().drops()) {
                    if (drop.test(absent)) {
                        Log.warn(problem + ". It is forgotten, and the events that waited for it are removed", null);
                    }
                } else if (warned.add(absent)) {
                    Log.warn(problem + ". Events of this type are kept for it. If it does not come back, forget(\""
                            + absent.listener() + "\", \"" + absent.type() + "\") removes them", null);
                }
            }
        } catch (StoreException | RuntimeException e) {
            Log.debug("Could not look for absent listeners; tried again in an hour", e);
        }
    }
}
