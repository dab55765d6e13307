// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Has stores forget dead keys about once an hour: one of those that share their keys for all, so that the managers of many
 * domains do not scan one table again and again. Its thread ends when the last manager is closed.
 */
public final class Purger {

    private static final long INTERVAL = Duration.ofHours(1).toNanos();

    /** What is purged, and on whose time. */
    private record Scope(Object keys, Ticker ticker) {}

    private static final Map<Scope, Purger> SHARED = new ConcurrentHashMap<>();

    private final Scope scope;
    private final List<PurgingStore> stores = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private long next;
    private boolean warned;

    private Purger(Scope scope, PurgingStore first) {
        this.scope = scope;
        this.stores.add(first);
        // A first time that is different for each node: they are often started together.
        this.next = scope.ticker.nanos() + ThreadLocalRandom.current().nextLong(INTERVAL);
        this.thread = Threads.startVirtual("reservation-purger", this::run);
    }

    /** Purges the store until the result is run. */
    public static Runnable add(PurgingStore store, Ticker ticker) {
        Scope scope = new Scope(store.purgeScope(), ticker);
        SHARED.compute(scope, (same, running) -> {
            if (running == null) {
                return new Purger(scope, store);
            }
            running.stores.add(store);
            return running;
        });
        return () -> SHARED.computeIfPresent(scope, (same, purger) -> purger.isLeftBy(store) ? null : purger);
    }

    private boolean isLeftBy(PurgingStore store) {
        stores.remove(store);
        if (stores.isEmpty()) {
            LockSupport.unpark(thread);
        }
        return stores.isEmpty();
    }

    private void run() {
        Ticker ticker = scope.ticker;
        while (!stores.isEmpty()) {
            if (next - ticker.nanos() > 0) {
                ticker.parkUntil(this, next);
            } else {
                next = ticker.nanos() + INTERVAL;
                stores.stream().findFirst().ifPresent(this::purge);
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
        } catch (Throwable e) { // Nobody would start the thread again.
            failed(e);
        }
    }

    private void failed(Throwable e) {
        Log.debug("Could not purge dead keys of " + scope.keys + "; tried again in an hour", e);
    }
}
