// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has stores forget dead keys about once an hour: one of those that share their keys for all, so that the managers of many
 * domains do not scan one table again and again. The {@link Clockwork} says when; a worker calls the store.
 */
public final class Purger {

    private static final Duration INTERVAL = Duration.ofHours(1);

    /** What is purged, and on whose time. */
    private record Scope(Object keys, Ticker ticker) {}

    private static final Shared<Scope, Purger> SHARED = new Shared<>(Purger::new, purger -> purger.alarm.wake());

    private final Scope scope;
    private final List<PurgingStore> stores = new CopyOnWriteArrayList<>();
    private final Clockwork.Alarm alarm;
    private final Runnable purge = Threads.inContextOfCaller(this::purge);
    private final AtomicBoolean purging = new AtomicBoolean();
    private volatile long next;
    private volatile boolean warned;

    private Purger(Scope scope) {
        this.scope = scope;
        // A first time that is different for each node: they are often started together.
        this.next = scope.ticker.nanos() + ThreadLocalRandom.current().nextLong(INTERVAL.toNanos());
        this.alarm = new Clockwork.Alarm(scope.ticker, INTERVAL, woken -> purgeIfDue());
    }

    /** Purges the store until the result is run. */
    public static Runnable add(PurgingStore store, Ticker ticker) {
        Scope scope = new Scope(store.purgeScope(), ticker);
        return SHARED.join(
                scope,
                purger -> {
                    purger.stores.add(store);
                    purger.alarm.join();
                },
                purger -> purger.stores.remove(store))::close;
    }

    private long purgeIfDue() {
        long now = scope.ticker.nanos();
        if (next - now <= 0) {
            next = now + INTERVAL.toNanos();
            Threads.execute(purge);
        }
        return stores.isEmpty() ? Clockwork.OVER : next - now;
    }

    /** A purge that takes longer than an hour goes on alone. */
    private void purge() {
        if (purging.compareAndSet(false, true)) {
            try {
                stores.stream().findFirst().ifPresent(this::purge);
            } finally {
                purging.set(false);
            }
        }
    }

    private void purge(PurgingStore store) {
        try {
            while (stores.contains(store) && store.purge()) {
                Log.debug("Purged dead keys of " + scope.keys + ", and there are more", null);
            }
        } catch (StoreException e) {
            // Locks do not need it: it says nothing about the health of the store.
            if (e.kind() == Kind.MISCONFIGURED && !warned) {
                warned = true;
                Log.warn("Dead keys of " + scope.keys
                        + " cannot be purged; as a rule, DELETE is not granted, or purging should be off", e);
            } else {
                failed(e);
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void failed(Throwable e) {
        Log.debug("Could not purge dead keys of " + scope.keys + "; tried again in an hour", e);
    }
}
