// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.loss;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of one manager, on one thread and many in one call.
 *
 * <p>It has no list of its own: each round looks at the live grants. So a grant that was ended or lost is never renewed again. A
 * renewal that is under way when its lease is released finds no such lease, and cannot bring it back. A renewal that fails is
 * tried again while the lease may be trusted. The thread ends when there is nothing to renew for ten seconds.
 */
final class AutoRenewal {

    private static final long KEPT_IDLE = Duration.ofSeconds(10).toNanos();

    /** After an error, and while there is nothing to renew: locks that are held for a moment need not wake the thread each time. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final Grants grants;
    private final Ticker ticker;
    private final String threadName;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    private volatile boolean looking = true;
    private volatile boolean asked;
    private volatile long nextRound;
    private volatile boolean closed;

    AutoRenewal(Grants grants, Ticker ticker, String domain) {
        this.grants = grants;
        this.ticker = ticker;
        this.threadName = "reservation-renewal-" + domain;
    }

    /** Renews a grant that was just added. */
    void add(KeepAlive added) {
        if (closed) {
            return;
        }
        Thread running = thread.get();
        if (running == null) {
            start();
        } else if (looking || added.dueAt() - nextRound < 0) {
            // The grant was added before this is read, and the thread says that it looks before it does: one sees the other.
            asked = true;
            LockSupport.unpark(running);
        }
    }

    private void start() {
        try {
            Threads.startOnce(thread, threadName, this::run);
        } catch (OutOfMemoryError e) {
            Log.warn("There is no thread to renew leases; the next acquisition tries again", e);
        }
    }

    /** Ends the renewals. What is held ends with its lease. */
    void close() {
        closed = true;
        Thread running = thread.get();
        if (running != null) {
            LockSupport.unpark(running);
        }
    }

    /** Returns the thread that renews; null if there is nothing to renew. */
    @Nullable Thread thread() {
        return thread.get();
    }

    private void run() {
        try {
            renewUntilIdle();
        } finally {
            thread.set(null);
        }
        if (!closed && grants.isAnyKeptAlive()) { // Added when this thread still seemed to be there.
            start();
        }
    }

    private void renewUntilIdle() {
        long idleSince = ticker.nanos();
        while (!closed) {
            looking = true;
            asked = false;
            long now = ticker.nanos();
            nextRound = now + PAUSE;
            try {
                Round round = new Round(now);
                if (round.renew()) {
                    idleSince = now;
                    nextRound = round.next;
                } else if (now - idleSince >= KEPT_IDLE) {
                    return;
                }
            } catch (Throwable e) { // The other leases still need this thread.
                idleSince = now;
                Log.warn("Could not renew leases; tried again in a second", e);
            }
            looking = false;
            if (!asked && !closed) {
                ticker.parkUntil(this, nextRound);
            }
            Thread.interrupted(); // A driver may have left it up.
        }
    }

    /** One look at all grants. */
    private final class Round {

        private final long now;
        private final Map<Duration, List<Grant>> due = new HashMap<>();
        private long next;

        private Round(long now) {
            this.now = now;
            this.next = now + KEPT_IDLE;
        }

        /** Renews what is due; returns whether there is anything to renew, now or later. */
        private boolean renew() {
            boolean found = false;
            for (Grant grant : grants.all()) {
                KeepAlive keepAlive = grant.keepAlive();
                if (keepAlive != null) {
                    found = true;
                    plan(grant, keepAlive);
                }
            }
            due.forEach(this::renew);
            return found;
        }

        private void plan(Grant grant, KeepAlive keepAlive) {
            if (keepAlive.isOwnerDead()) {
                grant.endKeepAlive(false);
            } else if (keepAlive.isDue(now)) {
                due.computeIfAbsent(keepAlive.nextLease(now), lease -> new ArrayList<>()).add(grant);
            } else {
                wakeAt(keepAlive.dueAt());
            }
        }

        private void renew(Duration lease, List<Grant> together) {
            // A limit that is so close needs no renewal: the lease ends by itself.
            Set<Grant> failed = lease.isZero() ? Set.of() : grants.renewAll(together, lease);
            for (Grant grant : together) {
                KeepAlive keepAlive = grant.keepAlive();
                if (keepAlive == null) {
                    continue;
                }
                if (failed.contains(grant)) {
                    keepAlive.failed(now);
                } else if (keepAlive.isLast(now)) {
                    grant.endKeepAlive(true);
                    continue;
                } else {
                    grant.planRenewal(keepAlive, now);
                }
                wakeAt(keepAlive.dueAt());
            }
        }

        private void wakeAt(long time) {
            next = time - next < 0 ? time : next;
        }
    }
}
