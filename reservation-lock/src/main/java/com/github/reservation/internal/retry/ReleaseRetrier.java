// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.retry;

import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.Threads;
import com.github.reservation.internal.time.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Releases in the background what could not be released at once. It sends the pending releases in one call, up to 500 of them,
 * and repeats it until the store answers or the leases are over. Its thread lives only while there is something to do.
 */
final class ReleaseRetrier {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** A database may lock the rows of all leases of a call until it ends. */
    private static final int MOST_AT_ONCE = 500;

    private final RetryingStore store;
    private final String threadName;
    private final Consumer<String> released;

    /**
     * A pending release.
     *
     * @param end when the lease expires in any case
     * @param answers how many answers of the store it still takes
     */
    private record Release(long end, int answers) {}

    private final Map<LeaseId, Release> pending = new ConcurrentHashMap<>();

    private final AtomicBoolean running = new AtomicBoolean();

    /** Passes the key of each released lease to {@code released}. */
    ReleaseRetrier(RetryingStore store, String domain, Consumer<String> released) {
        this.store = store;
        this.threadName = "reservation-release-" + domain;
        this.released = released;
    }

    void release(LeaseId lease, long end) {
        add(lease, new Release(end, 1));
    }

    void releaseInDoubt(LeaseId lease, long end) {
        add(lease, new Release(end, 2));
    }

    private void add(LeaseId lease, Release release) {
        pending.put(lease, release);
        start();
    }

    boolean isPending(LeaseId lease) {
        return pending.containsKey(lease);
    }

    boolean isIdle() {
        return pending.isEmpty() && !running.get();
    }

    private void start() {
        if (running.compareAndSet(false, true)) {
            try {
                Threads.startVirtual(threadName, this::run);
            } catch (Throwable e) {
                running.set(false); // The system has no thread left; the next release tries again.
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
                    store.retries().pauseUntil(store.ticker().nanos() + pauses.next());
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
        Map<LeaseId, Release> batch = pending.entrySet().stream()
                .limit(MOST_AT_ONCE)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        boolean answered = false;
        try {
            store.retries().answer(() -> store.store().release(batch.keySet()));
            answered = true;
        } catch (StoreException e) {
            Log.debug("Could not release " + batch.size() + " leases; retried until they end", e);
        } catch (Error e) {
            Log.warn("Could not release " + batch.size() + " leases; retried until they end", e);
        }
        long now = store.ticker().nanos();
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
}
