// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Releases in the background what could not be released at once, all of it in one call, again and again until the store
 * answers or the lease is over. Its thread lives only while there is something to do.
 */
final class Cleaner {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final LeaseStore store;
    private final StoreCalls calls;
    private final Ticker ticker;
    private final String threadName;
    private final Consumer<String> released;

    /** What to release, and when it is over by itself. */
    private final Map<LeaseId, Long> pending = new ConcurrentHashMap<>();

    private final AtomicBoolean running = new AtomicBoolean();

    /** Tells {@code released} the key of each lease that it has dealt with. */
    Cleaner(LeaseStore store, StoreCalls calls, Ticker ticker, String domain, Consumer<String> released) {
        this.store = store;
        this.calls = calls;
        this.ticker = ticker;
        this.threadName = "reservation-cleaner-" + domain;
        this.released = released;
    }

    /** Releases the lease soon; it is over by itself at {@code end}. */
    void release(LeaseId lease, long end) {
        pending.put(lease, end);
        start();
    }

    boolean isIdle() {
        return pending.isEmpty() && !running.get();
    }

    private void start() {
        if (running.compareAndSet(false, true)) {
            Thread.ofVirtual().name(threadName).start(this::run);
        }
    }

    private void run() {
        try {
            Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
            while (!pending.isEmpty()) {
                if (!releaseAll()) {
                    pause(pauses.next());
                }
            }
        } finally {
            running.set(false);
        }
        if (!pending.isEmpty()) {
            start();
        }
    }

    /** Returns whether the store answered. */
    private boolean releaseAll() {
        Map<LeaseId, Long> batch = Map.copyOf(pending);
        try {
            calls.answer(() -> store.release(batch.keySet()));
            batch.keySet().forEach(this::done);
            return true;
        } catch (StoreException e) {
            long now = ticker.nanos();
            batch.forEach((lease, end) -> {
                if (end - now <= 0) {
                    done(lease);
                }
            });
            return false;
        }
    }

    private void done(LeaseId lease) {
        pending.remove(lease);
        released.accept(lease.key());
    }

    private void pause(long nanos) {
        long end = ticker.nanos() + nanos;
        while (end - ticker.nanos() > 0) {
            ticker.parkUntil(this, end);
        }
    }
}
