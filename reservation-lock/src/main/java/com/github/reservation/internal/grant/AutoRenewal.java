// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of one manager, many in one call. One thread decides what is due; each call runs on a worker.
 *
 * <p>The thread waits for a call before it sends the next one, so that renewals need one connection. A call that has not answered within a
 * sixth of the shortest lease is late. The thread goes on without it: with the next call, and soon with the same leases again, on
 * other connections. Leases that no call under way has come first, and one call is kept for them: a lease whose renewals hang
 * cannot take all calls.
 *
 * <p>It has no list of its own: each round looks at the live grants. So a grant that was ended or lost is never renewed again. A
 * renewal that is under way when its lease is released finds no such lease, and cannot bring it back. A renewal that fails is
 * tried again while the lease may be trusted. The thread ends when there is nothing to renew for ten seconds.
 */
final class AutoRenewal {

    private static final long KEPT_IDLE = Duration.ofSeconds(10).toNanos();

    /** After an error, and while there is nothing to renew: locks that are held for a moment need not wake the thread each time. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    /** Each call needs a connection, and the late ones of a store that does not answer must not take them all. */
    private static final int MOST_CALLS = 4;

    /** How many calls may have the same lease. */
    private static final int MOST_CALLS_OF_A_LEASE = 2;

    private final Grants grants;
    private final Ticker ticker;
    private final String threadName;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    /** The calls under way, but for those that have taken so long that nothing may wait for them. */
    private final Set<RenewalCall> calls = ConcurrentHashMap.newKeySet();

    /** The shortest time to wait for a call, of all grants. */
    private final AtomicLong patience = new AtomicLong();

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
            patience.accumulateAndGet(added.patience(), Math::min);
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
            patience.set(LeaseTimes.FOREVER);
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
        private final Map<Duration, List<Grant>> dueAgain = new HashMap<>();
        private long next;
        private boolean isUnreachable;

        private Round(long now) {
            this.now = now;
            this.next = now + KEPT_IDLE;
        }

        /** Renews what is due; returns whether there is anything to renew, now or later. */
        private boolean renew() {
            boolean found = false;
            calls.removeIf(call -> call.isForgotten(now));
            for (Grant grant : grants.all()) {
                KeepAlive keepAlive = grant.keepAlive();
                if (keepAlive != null) {
                    found = true;
                    plan(grant, keepAlive);
                }
            }
            due.forEach((lease, together) -> renew(lease, together, MOST_CALLS));
            dueAgain.forEach((lease, together) -> renew(lease, together, MOST_CALLS - 1));
            due.values().forEach(together -> together.forEach(this::wakeFor));
            dueAgain.values().forEach(together -> together.forEach(this::wakeFor));
            return found;
        }

        private void plan(Grant grant, KeepAlive keepAlive) {
            patience.accumulateAndGet(keepAlive.patience(), Math::min);
            if (keepAlive.isOwnerDead()) {
                grant.endKeepAlive(false);
            } else if (!keepAlive.isDue(now)) {
                wakeAt(keepAlive.dueAt());
            } else if (keepAlive.nextLease(now).isZero()) { // A limit that is so close needs no renewal: the lease ends by itself.
                grant.endKeepAlive(true);
            } else if (grants.checkTrust(grant)) {
                planCall(grant, keepAlive);
            }
        }

        private void planCall(Grant grant, KeepAlive keepAlive) {
            long underWay = calls.stream().filter(call -> call.has(grant)).count();
            if (underWay >= MOST_CALLS_OF_A_LEASE) {
                keepAlive.failed(now);
                wakeAt(keepAlive.dueAt());
                return;
            }
            (underWay == 0 ? due : dueAgain)
                    .computeIfAbsent(keepAlive.nextLease(now), lease -> new ArrayList<>())
                    .add(grant);
            keepAlive.sent(now);
            grant.renewalSent(); // Before the first call: if another one is slow, that is the reason why this lease runs out.
        }

        private void renew(Duration lease, List<Grant> together, int mostCalls) {
            int most = grants.store().store().mostLeasesInACall();
            if (together.size() > most) {
                Collections.shuffle(together); // Else the same ones would come last each time.
            }
            for (int from = 0; from < together.size() && !closed; from += most) {
                List<Grant> chunk = together.subList(from, Math.min(from + most, together.size()));
                if (isUnreachable || calls.size() >= mostCalls) {
                    grants.renewalFailed(chunk, lease);
                } else {
                    send(lease, chunk);
                }
            }
        }

        /**
         * Sends a call and waits for its answer, but the less, the more calls are late: together they must leave time to send the
         * leases again. A grant that is added meanwhile may have a shorter lease.
         */
        private void send(Duration lease, List<Grant> chunk) {
            int late = calls.size();
            RenewalCall call = new RenewalCall(grants, chunk, lease, now);
            start(call);
            long sent = ticker.nanos();
            while (!call.isOver() && !closed && sent + (patience.get() >> late) - ticker.nanos() > 0) {
                ticker.parkUntil(this, sent + (patience.get() >> late));
                Thread.interrupted();
            }
            if (!call.isOver()) {
                Log.debug("The renewal of " + chunk.size() + " leases is late; goes on without it", null);
                chunk.forEach(grant -> grant.mayEndLater(lease, ticker.nanos()));
            }
            isUnreachable = call.isUnreachable();
        }

        private void wakeFor(Grant grant) {
            KeepAlive keepAlive = grant.keepAlive();
            if (keepAlive != null) {
                wakeAt(keepAlive.dueAt());
            }
        }

        private void wakeAt(long time) {
            next = time - next < 0 ? time : next;
        }
    }

    private void start(RenewalCall call) {
        calls.add(call);
        Threads.executeOrRun(() -> {
            try {
                call.run();
            } catch (Throwable e) { // What was due is due again.
                Log.warn("Could not renew leases; tried again in a moment", e);
            } finally {
                calls.remove(call);
                call.end();
            }
        });
    }
}
