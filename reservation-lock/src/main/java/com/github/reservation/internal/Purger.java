// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.PurgingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Has a store forget dead keys about once an hour, on a thread of its own that ends with the manager. */
final class Purger {

    private static final long INTERVAL = Duration.ofHours(1).toNanos();

    private final PurgingStore store;
    private final Ticker ticker;
    private final String domain;
    private final Thread thread;
    private volatile boolean closed;
    private boolean told;

    Purger(PurgingStore store, Ticker ticker, String domain) {
        this.store = store;
        this.ticker = ticker;
        this.domain = domain;
        this.thread = Thread.ofVirtual().name("reservation-purger-" + domain).start(this::run);
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        // A first time that is different for each node: they are often started together.
        long next = ticker.nanos() + ThreadLocalRandom.current().nextLong(INTERVAL);
        while (!closed) {
            if (next - ticker.nanos() > 0) {
                ticker.parkUntil(this, next);
            } else {
                next = ticker.nanos() + INTERVAL;
                purge();
            }
        }
    }

    private void purge() {
        try {
            while (!closed && store.purge()) {
                Log.debug("Purged dead keys of domain " + domain + ", and there are more", null);
            }
        } catch (StoreException e) {
            // Locks do not need it: it says nothing about the health of the store.
            if (e.kind() == Kind.MISCONFIGURED && !told) {
                told = true;
                Log.warn("Dead keys of domain " + domain
                        + " cannot be purged; as a rule, DELETE is not granted, or purging should be off", e);
            } else {
                failed(e);
            }
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void failed(Exception e) {
        Log.debug("Could not purge dead keys of domain " + domain + "; tried again in an hour", e);
    }
}
