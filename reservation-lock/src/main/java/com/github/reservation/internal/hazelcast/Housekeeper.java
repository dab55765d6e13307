// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows what this process was granted, and does for it what Hazelcast does not:
 *
 * <ol>
 *   <li>A lease ends on time. Hazelcast ends it too, but up to a second early or late, so it is asked for some seconds more
 *       than the lease has, and at the end of the lease this unlocks the key.
 *   <li>A lease that lasts longer than a moment gets a value in the map, for people to see.
 * </ol>
 *
 * <p>One daemon thread looks when the first of these is due; what it finds is done on virtual threads. A grant that is
 * given back within the moment, as most are, costs two steps on a map.
 */
final class Housekeeper {

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMillis(10);
    private static final long FOREVER = Long.MAX_VALUE / 2;

    /** Whoever called may have gone already; so that the next one need not call again, which costs more than to look. */
    private static final long A_MOMENT = Duration.ofMillis(100).toNanos();

    /** A description whose lock is lost can hang: no more than that many. */
    private static final int MOST_DESCRIBED_AT_ONCE = 64;

    private final LockMap locks;
    private final LateGrants late;
    private final BooleanSupplier canAsk;
    private final String threadName;
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();
    private final Semaphore descriptions = new Semaphore(MOST_DESCRIBED_AT_ONCE);

    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile long sleepsUntil;

    /** An unpark alone could be used up by whatever the thread does when it is awake. */
    private volatile boolean lookAgain;

    private volatile boolean closed;

    /** Ends nothing while {@code canAsk} says that it would be in vain. */
    Housekeeper(LockMap locks, LateGrants late, BooleanSupplier canAsk, String mapName) {
        this.locks = locks;
        this.late = late;
        this.canAsk = canAsk;
        this.threadName = "reservation-leases-" + mapName;
    }

    /** Looks after a new grant. An older one of the same key is over, or this would not have been granted. */
    void keep(Grant grant) {
        Grant older = grants.put(grant.lease.key(), grant);
        if (older != null) {
            older.stopsDescribing();
            ended(older);
        }
        watch(grant);
    }

    @Nullable Grant find(String key) {
        return grants.get(key);
    }

    @Nullable Grant find(LeaseId lease) {
        Grant grant = grants.get(lease.key());
        return grant != null && grant.lease.equals(lease) ? grant : null;
    }

    Collection<Grant> all() {
        return grants.values();
    }

    /** Hears that something may be due earlier than it was. */
    void lookAgain() {
        lookAgain = true;
        LockSupport.unpark(thread.get());
    }

    /** Stops looking after a grant whose lock was taken away; a description that is being written removes itself. */
    void abandon(Grant grant) {
        grant.stopsDescribing();
        forget(grant);
    }

    private void forget(Grant grant) {
        if (grants.remove(grant.lease.key(), grant)) {
            ended(grant);
        }
        if (closed) {
            lookAgain();
        }
    }

    private void ended(Grant grant) {
        grant.cutShort();
        if (grant.perhapsMore) {
            grant.perhapsMore = false;
            late.release(grant.owner); // A renewal that nobody has seen the end of may still bring the lock back.
        }
    }

    /** Ends the thread as soon as there is nothing left to look after. */
    void close() {
        closed = true;
        lookAgain();
    }

    /** Hears that the grant's turn was given back, in which something may have become due. */
    void resume(Grant grant) {
        if (find(grant.lease) == grant) {
            grant.putOff(Duration.ZERO);
            watch(grant);
        } else {
            ended(grant); // Perhaps before its renewal did.
        }
    }

    /** Sees to it that nothing that is due for the grant is missed. */
    void watch(Grant grant) {
        Threads.startOnce(thread, threadName, this::run);
        // The grant was put before this is read, and the thread sets it before it looks: one sees the other.
        if (grant.dueAt() - sleepsUntil < 0) {
            lookAgain();
        }
    }

    private void run() {
        while (true) {
            sleepsUntil = System.nanoTime() + FOREVER;
            boolean called = lookAgain;
            lookAgain = false;
            boolean lastLook = closed;
            long next = look(called ? A_MOMENT : FOREVER);
            if (lastLook && grants.isEmpty()) {
                thread.set(null);
                if (grants.isEmpty()) {
                    return;
                }
                if (!thread.compareAndSet(null, Thread.currentThread())) {
                    return; // Somebody has started another one.
                }
            }
            sleepsUntil = next;
            if (!lookAgain) {
                LockSupport.parkNanos(this, Math.max(1, next - System.nanoTime()));
            }
            Thread.interrupted(); // Nobody has a reason to; but with the flag up no park would last.
        }
    }

    /** Does what is due; returns when to look again, at the latest after {@code longest}. */
    private long look(long longest) {
        long next = System.nanoTime() + longest;
        for (Grant grant : grants.values()) {
            if (grant.dueAt() - System.nanoTime() <= 0) {
                attendTo(grant);
            }
            if (grant.dueAt() - next < 0) {
                next = grant.dueAt();
            }
        }
        return next;
    }

    /** Nothing that goes wrong with one grant may keep the others from being looked after. */
    private void attendTo(Grant grant) {
        try {
            if (grant.isOver()) {
                grant.putOff(RETRY);
                if (canAsk.getAsBoolean() || grant.isOverInHazelcast()) {
                    aside(() -> end(grant));
                }
            } else if (!descriptions.tryAcquire()) {
                grant.putOff(SOON);
            } else if (grant.startsDescribing()) {
                aside(() -> describe(grant));
            } else {
                descriptions.release();
            }
        } catch (Throwable e) {
            grant.putOff(RETRY);
            Log.warn("Could not look after the lease of " + grant.lease.key() + "; tried again", e);
        }
    }

    private void aside(Runnable task) {
        Threads.startVirtual(threadName, task);
    }

    private void describe(Grant grant) {
        try {
            Duration left = grant.remaining();
            if (left.isPositive()) {
                locks.describe(grant.owner, grant.value().text(), LockTimes.wholeSeconds(left));
            }
        } catch (StoreException | InterruptedException e) {
            Log.debug("Could not describe who holds " + grant.lease.key(), e);
        } finally {
            descriptions.release();
            if (grant.endsDescribing()) {
                erase(grant);
            }
        }
    }

    /** Removes the description of a key that nobody has; if that fails it lives no longer than its lease. */
    void eraseIfFree(String key) {
        try {
            locks.eraseIfFree(key);
        } catch (StoreException e) {
            Log.debug("Could not remove the description of who held " + key, e);
        }
    }

    private void erase(Grant grant) {
        try {
            locks.erase(grant.owner);
        } catch (StoreException | InterruptedException e) {
            Log.debug("Could not remove the description of who held " + grant.lease.key(), e);
        }
    }

    /** Ends a lease whose time is over; if that fails it is tried again, until Hazelcast has ended it by itself. */
    private void end(Grant grant) {
        if (!grant.turn.tryLock()) {
            return; // Whoever has it resumes, or does the same.
        }
        try {
            if (grant.isOver()) {
                giveBack(grant);
            } else {
                resume(grant); // Renewed in the last moment; what was put off is due earlier than that.
            }
        } catch (StoreException | InterruptedException e) {
            Log.debug("Could not end the lease of " + grant.lease.key() + "; tried again", e);
            if (grant.isOverInHazelcast() || Failures.isShutDown(e.getCause())) {
                forget(grant);
            }
        } finally {
            grant.turn.unlock();
        }
    }

    /**
     * Removes the description, if there is one, and unlocks the key; whoever calls has the grant's turn.
     *
     * @return whether the lock was there
     */
    boolean giveBack(Grant grant) throws StoreException, InterruptedException {
        eraseDescription(grant);
        return unlock(grant);
    }

    /** Does the first half of {@link #giveBack}; whatever goes wrong with a description, the second half must follow. */
    void eraseDescription(Grant grant) throws InterruptedException {
        if (grant.leave()) {
            try {
                locks.erase(grant.owner);
            } catch (StoreException e) {
                Log.debug("Could not remove the description of who held " + grant.lease.key(), e);
            }
        }
    }

    /** Does the second half of {@link #giveBack}. What may be gone is asked for first, and does not count as unlocked. */
    boolean unlock(Grant grant) throws StoreException, InterruptedException {
        boolean unlocked = false;
        boolean mayBeGone = grant.perhapsLeft || grant.isCutShort();
        if (!mayBeGone) {
            grant.perhapsLeft = true; // Until there is an answer.
            unlocked = locks.unlock(grant.owner);
            while (unlocked && --grant.entered > 0) {
                unlocked = locks.unlock(grant.owner);
            }
            grant.perhapsLeft = false;
        }
        if (mayBeGone || grant.perhapsMore || grant.enteredMore) {
            locks.giveUp(grant.owner);
        }
        forget(grant);
        return unlocked;
    }
}
