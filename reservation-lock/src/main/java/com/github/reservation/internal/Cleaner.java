// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.Threads;
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

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final LeaseStore store;
    private final StoreCalls calls;
    private final Ticker ticker;
    private final String threadName;
    private final Consumer<String> released;

    /**
     * What to do for a lease.
     *
     * @param end when it is over by itself
     * @param answers how many answers of the store it takes
     */
    private record Release(long end, int answers) {}

    private final Map<LeaseId, Release> pending = new ConcurrentHashMap<>();

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
        add(lease, new Release(end, 1));
    }

    /**
     * Releases a lease of which nobody knows whether it was granted. The request may still be on its way when the store
     * answers that there is no such lease: so it is asked a second time, a moment later.
     */
    void releaseInDoubt(LeaseId lease, long end) {
        add(lease, new Release(end, 2));
    }

    private void add(LeaseId lease, Release release) {
        pending.put(lease, release);
        start();
    }

    boolean isIdle() {
        return pending.isEmpty() && !running.get();
    }

    private void start() {
        if (running.compareAndSet(false, true)) {
            try {
                Threads.startVirtual(threadName, this::run);
            } catch (Throwable e) {
                running.set(false); // No thread to be had; the next release tries again.
                throw e;
            }
        }
    }

    private void run() {
        try {
            Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
            while (!pending.isEmpty()) {
                releaseAll();
                if (!pending.isEmpty()) {
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

    private void releaseAll() {
        Map<LeaseId, Release> batch = Map.copyOf(pending);
        boolean answered = false;
        try {
            calls.answer(() -> store.release(batch.keySet()));
            answered = true;
        } catch (StoreException e) {
            Log.debug("Could not release " + batch.size() + " leases; tried again until they end", e);
        } catch (Error e) {
            Log.warn("Could not release " + batch.size() + " leases; tried again until they end", e);
        }
        long now = ticker.nanos();
        for (Map.Entry<LeaseId, Release> entry : batch.entrySet()) {
            Release release = entry.getValue();
            int answers = release.answers - (answered ? 1 : 0);
            if (answers == 0 || release.end - now <= 0) {
                pending.remove(entry.getKey(), release);
            } else {
                pending.replace(entry.getKey(), release, new Release(release.end, answers));
            }
            if (answered) {
                released.accept(entry.getKey().key());
            }
        }
    }

    private void pause(long nanos) {
        long end = ticker.nanos() + nanos;
        while (end - ticker.nanos() > 0) {
            ticker.parkUntil(this, end);
        }
    }
}
