// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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

    /** How long after its end a lock can still be there, if it cannot be unlocked: Hazelcast ends it then. */
    private static final Duration LATEST_END = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofMillis(10);
    private static final long FOREVER = Long.MAX_VALUE / 2;

    /** A description whose lock is lost can hang: no more than that many. */
    private static final int MOST_DESCRIBED_AT_ONCE = 64;

    private static final System.Logger LOG = System.getLogger("com.github.reservation");

    private final LockMap locks;
    private final String threadName;
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();
    private final Map<LeaseId, Grant> leftovers = new ConcurrentHashMap<>();
    private final Semaphore descriptions = new Semaphore(MOST_DESCRIBED_AT_ONCE);

    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile long sleepsUntil;

    /** An unpark alone could be used up by whatever the thread does when it is awake. */
    private volatile boolean lookAgain;

    private volatile boolean closed;

    Housekeeper(LockMap locks, String mapName) {
        this.locks = locks;
        this.threadName = "reservation-leases-" + mapName;
    }

    /** Looks after a new grant. An older one of the same key is over, or this would not have been granted. */
    void keep(Grant grant) {
        grants.put(grant.lease.key(), grant);
        watch(grant);
    }

    /** Ends a lease that may have been granted, or may still be, without anybody's knowing. */
    void undo(LeaseId lease) {
        Grant leftover = new Grant(lease, Owner.of(lease), Duration.ZERO);
        leftovers.put(lease, leftover);
        watch(leftover);
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

    void forget(Grant grant) {
        grants.remove(grant.lease.key(), grant);
        leftovers.remove(grant.lease, grant);
        if (closed) {
            lookAgain();
        }
    }

    /** Ends the thread as soon as there is nothing left to look after. */
    void close() {
        closed = true;
        lookAgain();
    }

    /** Sees to it that nothing that is due for the grant is missed. */
    void watch(Grant grant) {
        startOnce();
        // The grant was put before this is read, and the thread sets it before it looks: one sees the other.
        if (grant.dueAt() - sleepsUntil < 0) {
            lookAgain();
        }
    }

    private void startOnce() {
        if (thread.get() == null) {
            Thread fresh = Thread.ofPlatform()
                    .daemon()
                    .name(threadName)
                    .inheritInheritableThreadLocals(false)
                    .unstarted(this::run);
            if (thread.compareAndSet(null, fresh)) {
                fresh.start();
            }
        }
    }

    private void run() {
        while (true) {
            sleepsUntil = System.nanoTime() + FOREVER;
            lookAgain = false;
            boolean lastLook = closed;
            long next = look();
            if (lastLook && isIdle()) {
                thread.set(null);
                if (isIdle()) {
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

    private boolean isIdle() {
        return grants.isEmpty() && leftovers.isEmpty();
    }

    /** Does what is due; returns when to look again. */
    private long look() {
        long next = System.nanoTime() + FOREVER;
        for (Collection<Grant> some : List.of(grants.values(), leftovers.values())) {
            for (Grant grant : some) {
                if (grant.dueAt() - System.nanoTime() <= 0) {
                    start(grant);
                }
                if (grant.dueAt() - next < 0) {
                    next = grant.dueAt();
                }
            }
        }
        return next;
    }

    private void start(Grant grant) {
        if (grant.isOver()) {
            grant.putOff(RETRY);
            Thread.ofVirtual().name(threadName).start(() -> end(grant));
        } else if (!descriptions.tryAcquire()) {
            grant.putOff(SOON);
        } else if (grant.startsDescribing()) {
            Thread.ofVirtual().name(threadName).start(() -> describe(grant));
        } else {
            descriptions.release();
        }
    }

    private void describe(Grant grant) {
        try {
            locks.describe(grant.owner, grant.value().text(), LockTimes.wholeSeconds(grant.remaining()));
        } catch (StoreException | InterruptedException e) {
            LOG.log(Level.DEBUG, "Could not describe who holds " + grant.lease.key(), e);
        } finally {
            descriptions.release();
            if (grant.endsDescribing()) {
                erase(grant);
            }
        }
    }

    private void erase(Grant grant) {
        try {
            locks.erase(grant.owner);
        } catch (StoreException | InterruptedException e) {
            LOG.log(Level.DEBUG, "Could not remove the description of who held " + grant.lease.key(), e);
        }
    }

    /** Ends a lease whose time is over; if that fails it is tried again, until Hazelcast has ended it by itself. */
    private void end(Grant grant) {
        if (!grant.turn.tryLock()) {
            grant.putOff(SOON);
            lookAgain();
            return;
        }
        try {
            if (!grant.isOver()) {
                return; // Renewed in the last moment.
            }
            giveBack(grant);
        } catch (StoreException | InterruptedException e) {
            LOG.log(Level.DEBUG, "Could not end the lease of " + grant.lease.key() + "; tried again", e);
            if (grant.remaining().plus(LATEST_END).isNegative()) {
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
        if (grant.leave()) {
            locks.erase(grant.owner);
        }
        boolean unlocked = locks.unlock(grant.owner);
        while (unlocked && --grant.entered > 0) {
            unlocked = locks.unlock(grant.owner);
        }
        if (grant.perhapsMore) {
            locks.unlockAll(grant.owner);
        }
        forget(grant);
        return unlocked;
    }
}
