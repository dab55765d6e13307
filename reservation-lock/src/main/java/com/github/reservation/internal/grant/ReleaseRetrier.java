// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.Clockwork;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Releases in the background what could not be released at once. It sends the pending releases together, see {@link LeaseBatch}, and
 * repeats each of them until the store answers or the lease is over. It has a worker only while there is something to do.
 */
final class ReleaseRetrier {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RetryingStore store;
    private final Consumer<String> released;
    private final Executor workers;
    private final Clockwork.Alarm startLater;

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
    ReleaseRetrier(RetryingStore store, Ticker ticker, Consumer<String> released) {
        this(store, ticker, released, Threads::execute);
    }

    ReleaseRetrier(RetryingStore store, Ticker ticker, Consumer<String> released, Executor workers) {
        this.store = store;
        this.released = released;
        this.workers = workers;
        this.startLater =
                new Clockwork.Alarm(ticker, SECOND, woken -> hasStarted() ? Clockwork.OVER : SECOND.toNanos());
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

    /** Throws nothing: the caller is in the middle of an unlock, which has no need of it. */
    private void start() {
        if (!hasStarted()) {
            Log.debug("There is no thread to release leases; tried again each second", null);
            try {
                startLater.join();
            } catch (OutOfMemoryError e) {
                Log.debug("There is not even one to wait for that; the next release tries again", e);
            }
        }
    }

    /** Starts a worker if a release is pending and none runs; false if the system has no thread left. */
    private boolean hasStarted() {
        if (!pending.isEmpty() && running.compareAndSet(false, true)) {
            try {
                workers.execute(this::run);
            } catch (OutOfMemoryError e) {
                running.set(false);
                return false;
            }
        }
        return true;
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
        Map<LeaseId, Release> batch = Map.copyOf(pending);
        Set<LeaseId> unanswered = send(batch.keySet());
        long now = store.ticker().nanos();
        batch.forEach((lease, release) -> {
            boolean answered = !unanswered.contains(lease);
            int answers = release.answers - (answered ? 1 : 0);
            if (answers == 0 || release.end - now <= 0) {
                pending.remove(lease, release);
            } else {
                pending.replace(lease, release, new Release(release.end, answers));
            }
            if (answered) {
                released.accept(lease.key());
            }
        });
    }

    /** Sends the releases; returns the leases for which the store gave no answer. */
    private Set<LeaseId> send(Set<LeaseId> leases) {
        try {
            LeaseBatch sent = LeaseBatch.send(store, leases, chunk -> {
                store.store().release(chunk);
                return Set.of();
            });
            if (!sent.failures().isEmpty()) {
                Log.debug(couldNotRelease(sent.unanswered()), sent.failures().getFirst());
            }
            return Set.copyOf(sent.unanswered());
        } catch (Error e) {
            Log.warn(couldNotRelease(leases), e);
            return leases;
        }
    }

    private static String couldNotRelease(Collection<LeaseId> leases) {
        return "Could not release " + leases.size() + " leases; retried until they end";
    }
}
