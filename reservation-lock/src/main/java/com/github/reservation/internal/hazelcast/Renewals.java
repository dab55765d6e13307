// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import java.time.Duration;

/**
 * Renews leases. Hazelcast gives a lock a new end when its owner locks it again. But if the lock was lost meanwhile and is free,
 * this acquires it anew, and the renewal must notice.
 *
 * <p>A hold count of two makes it notice: one unlock fails if the lock is not ours any more, and does not free it if it is. So a
 * lock that was renewed keeps a hold count of two. The first renewal has no such proof. It locks and unlocks, which frees the key
 * if the lock had been lost. In both cases the key must still be locked before the renewal locks it for good. If it is freed
 * by force in the one moment that is left, after that look, its hold count is one, and the next renewal notices.
 */
final class Renewals {

    private final LockMap map;
    private final OwnedLocks owned;
    private final ClusterWatch cluster;

    Renewals(LockMap map, OwnedLocks owned, ClusterWatch cluster) {
        this.map = map;
        this.owned = owned;
        this.cluster = cluster;
    }

    /** Lets the lease run for at least {@code leaseTime} from now; false if it is lost. */
    boolean renew(OwnedLock lock, Duration leaseTime) throws StoreException {
        return owned.inTurn(lock, () -> {
            boolean answered = false;
            try {
                Duration left = lock.remaining();
                boolean renewed = left.isPositive() && renew(lock, leaseTime, left);
                answered = true;
                return renewed;
            } finally {
                if (!answered) {
                    lock.renewalUnanswered = true;
                    lock.mayLastFor(leaseTime);
                }
            }
        });
    }

    private boolean renew(OwnedLock lock, Duration leaseTime, Duration left)
            throws StoreException, InterruptedException {
        Duration longer = leaseTime.compareTo(left) > 0 ? leaseTime : left;
        AnswerCheck check = new AnswerCheck(cluster);
        boolean relocked = relock(lock, LockTimes.of(longer, Duration.ZERO));
        if (check.isDoubtful()) {
            lock.holdCountMayBeHigher = true;
        }
        if (!relocked) {
            lock.endEarly();
            owned.release(lock);
            return false;
        }
        lock.extend(leaseTime);
        return !lock.isOver(); // The connection may have been lost meanwhile.
    }

    private boolean relock(OwnedLock lock, Duration lockTime) throws StoreException, InterruptedException {
        if (lock.holdCount == 1) {
            if (!lockAgain(lock, lockTime)) {
                return false;
            }
        } else {
            lock.holdCount = 1; // Before the call: without an answer it may be unlocked, and must not be unlocked again.
        }
        if (!map.unlock(lock.owner) || !map.isLocked(lock.owner.key()) || !lockAgain(lock, lockTime)) {
            return false;
        }
        lock.holdCount = 2;
        return true;
    }

    /** Locks the key again; once more if a member died or fell silent meanwhile, because its backup may not know. */
    private boolean lockAgain(OwnedLock lock, Duration lockTime) throws StoreException, InterruptedException {
        AnswerCheck check = new AnswerCheck(cluster);
        boolean locked = map.tryLock(lock.owner, Duration.ZERO, lockTime);
        boolean inDoubt = check.isDoubtful();
        while (locked && inDoubt) {
            check = new AnswerCheck(cluster);
            locked = map.tryLock(lock.owner, Duration.ZERO, lockTime);
            inDoubt = check.memberDied();
        }
        return locked;
    }
}
