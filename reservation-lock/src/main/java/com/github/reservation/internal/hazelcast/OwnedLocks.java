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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The locks that this process owns. Ends each of them on time: Hazelcast would end it up to a second early or late, so it is
 * asked for some seconds more than the lease has, and at the end of the lease this class unlocks the key.
 *
 * <p>One {@link DeadlineThread} notices what is due, to be ended or described; the work is done on virtual threads. A lock
 * that is released before it is due, as most are, costs two steps on a map.
 */
final class OwnedLocks {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final LockMap map;
    private final HolderDescriptions descriptions;
    private final LateGrantCleanup late;
    private final BooleanSupplier canUnlock;
    private final String threadName;
    private final Map<String, OwnedLock> locks = new ConcurrentHashMap<>();
    private final DeadlineThread thread;

    /** Ends no lock while {@code canUnlock} is false: the cluster cannot be asked then. */
    OwnedLocks(
            LockMap map,
            HolderDescriptions descriptions,
            LateGrantCleanup late,
            BooleanSupplier canUnlock,
            String threadName) {
        this.map = map;
        this.descriptions = descriptions;
        this.late = late;
        this.canUnlock = canUnlock;
        this.threadName = threadName;
        this.thread = new DeadlineThread(threadName, this::attendToAll, locks::isEmpty);
    }

    /** Adds a new lock. An older one of the same key is over, or Hazelcast would not have granted this one. */
    void add(OwnedLock lock) {
        OwnedLock older = locks.put(lock.lease.key(), lock);
        if (older != null) {
            older.stopDescriptions();
            ended(older);
        }
        thread.watch(lock.dueAt());
    }

    @Nullable OwnedLock find(String key) {
        return locks.get(key);
    }

    @Nullable OwnedLock find(LeaseId lease) {
        OwnedLock lock = locks.get(lease.key());
        return lock != null && lock.lease.equals(lease) ? lock : null;
    }

    Collection<OwnedLock> all() {
        return locks.values();
    }

    /** Runs the action while nothing else renews, releases or ends the lock. */
    <T> T inTurn(OwnedLock lock, InFlightCalls.Action<T> action) throws StoreException {
        lock.turn.lock();
        try {
            return action.run();
        } catch (InterruptedException e) {
            throw LockMap.interrupted(e);
        } finally {
            lock.turn.unlock();
            resume(lock);
        }
    }

    /** Watches a lock again after its turn, in which something may have become due. */
    private void resume(OwnedLock lock) {
        if (find(lock.lease) == lock) {
            lock.putOff(Duration.ZERO);
            thread.watch(lock.dueAt());
        } else {
            ended(lock); // Perhaps before its renewal did.
        }
    }

    /**
     * Removes the description, if there is one, and unlocks the key; the caller has the lock's turn.
     *
     * @return whether the key was locked by this owner
     */
    boolean release(OwnedLock lock) throws StoreException, InterruptedException {
        descriptions.erase(lock);
        return unlock(lock);
    }

    /** Does the second half of {@link #release}. If the lock may be gone it asks first, and that does not count as unlocked. */
    boolean unlock(OwnedLock lock) throws StoreException, InterruptedException {
        boolean unlocked = false;
        boolean mayBeGone = lock.unlockUnanswered || lock.hasEndedEarly();
        if (!mayBeGone) {
            lock.unlockUnanswered = true;
            unlocked = map.unlock(lock.owner);
            while (unlocked && --lock.holdCount > 0) {
                unlocked = map.unlock(lock.owner);
            }
            lock.unlockUnanswered = false;
        }
        if (mayBeGone || lock.renewalUnanswered || lock.holdCountMayBeHigher) {
            map.unlockAll(lock.owner);
        }
        remove(lock);
        return unlocked;
    }

    /** Learns that the key of the lock is free: if an unlock got no answer, it was carried out, and nothing is left to release. */
    void foundFree(OwnedLock lock) {
        if (lock.turn.tryLock()) {
            try {
                if (lock.unlockUnanswered) {
                    drop(lock);
                }
            } finally {
                lock.turn.unlock();
                resume(lock);
            }
        }
    }

    /** Drops a lock that was taken away; a description that is being written removes itself. */
    void drop(OwnedLock lock) {
        lock.stopDescriptions();
        remove(lock);
    }

    private void remove(OwnedLock lock) {
        if (locks.remove(lock.lease.key(), lock)) {
            ended(lock);
        }
        thread.wakeIfClosed();
    }

    private void ended(OwnedLock lock) {
        lock.endEarly();
        if (lock.renewalUnanswered) {
            lock.renewalUnanswered = false;
            late.release(lock.owner); // The renewal may still bring the lock back.
        }
    }

    /** Ends the thread as soon as no lock is left. */
    void close() {
        thread.close();
    }

    /** Looks at all locks again, because one may be due earlier than before. */
    void wake() {
        thread.wake();
    }

    /** Does what is due; returns when the next lock is due, or {@code latest} if that is earlier. */
    private long attendToAll(long latest) {
        long next = latest;
        for (OwnedLock lock : locks.values()) {
            if (lock.dueAt() - System.nanoTime() <= 0) {
                attendTo(lock);
            }
            if (lock.dueAt() - next < 0) {
                next = lock.dueAt();
            }
        }
        return next;
    }

    /** Starts what is due for the lock. A failure must not keep the thread from the other locks. */
    private void attendTo(OwnedLock lock) {
        try {
            if (!lock.isOver()) {
                descriptions.start(lock);
                return;
            }
            lock.putOff(RETRY);
            if (canUnlock.getAsBoolean() || lock.isOverInHazelcast()) {
                Threads.startVirtual(threadName, () -> end(lock));
            }
        } catch (Throwable e) {
            lock.putOff(RETRY);
            Log.warn("Could not look after the lease of " + lock.lease.key() + "; tried again", e);
        }
    }

    /**
     * Ends a lease whose time is over. A failure is tried again, until Hazelcast has ended the lock by itself. A lock that was
     * released meanwhile is left alone: to unlock it again would take the key for a moment, and refuse others.
     */
    void end(OwnedLock lock) {
        if (!lock.turn.tryLock()) {
            return; // The thread that has the turn resumes, or does the same.
        }
        try {
            if (lock.isOver() && find(lock.lease) == lock) {
                release(lock);
            } else {
                resume(lock); // Renewed in the last moment; what was put off is due earlier than that.
            }
        } catch (StoreException | InterruptedException e) {
            Log.debug("Could not end the lease of " + lock.lease.key() + "; tried again", e);
            if (lock.isOverInHazelcast() || Failures.isShutDown(e.getCause())) {
                remove(lock);
            }
        } finally {
            lock.turn.unlock();
        }
    }
}
