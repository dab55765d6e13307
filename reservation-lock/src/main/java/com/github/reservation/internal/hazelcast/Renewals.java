// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import java.time.Duration;

/**
 * Renews leases. Hazelcast gives a lock a new end when it is entered again; but if it was lost meanwhile and is free, this
 * acquires it anew, and that must show.
 *
 * <p>A lock that was entered twice shows it: to leave it once fails if it is not ours any more, and does not free it if it is.
 * So a lock that is renewed stays entered twice. The first time there is no such proof yet. Then it is entered and left,
 * which frees it if it had been lost. In both cases it must still be locked before it is entered for good. If it is freed
 * by force in the one moment that is left, after that look, it is entered only once, and the next renewal notices.
 */
final class Renewals {

    private final LockMap locks;
    private final Housekeeper housekeeper;
    private final ClusterWatch cluster;

    Renewals(LockMap locks, Housekeeper housekeeper, ClusterWatch cluster) {
        this.locks = locks;
        this.housekeeper = housekeeper;
        this.cluster = cluster;
    }

    /** Lets the lease run for at least {@code leaseTime} from now; false if it is lost. */
    boolean renew(Grant grant, Duration leaseTime) throws StoreException {
        boolean failed = true;
        grant.turn.lock();
        try {
            Duration left = grant.remaining();
            boolean renewed = left.isPositive() && renew(grant, leaseTime, left);
            failed = false;
            return renewed;
        } catch (InterruptedException e) {
            throw LockMap.interrupted(e);
        } finally {
            if (failed) {
                grant.perhapsMore = true;
                grant.mayLastFor(leaseTime);
            }
            grant.turn.unlock();
            housekeeper.resume(grant);
        }
    }

    private boolean renew(Grant grant, Duration leaseTime, Duration left) throws StoreException, InterruptedException {
        Duration longer = leaseTime.compareTo(left) > 0 ? leaseTime : left;
        Doubt doubt = new Doubt(cluster, Duration.ZERO);
        boolean entered = enterAgain(grant, LockTimes.of(longer, Duration.ZERO));
        if (doubt.isThere()) {
            grant.enteredMore = true;
        }
        if (!entered) {
            grant.cutShort();
            housekeeper.giveBack(grant);
            return false;
        }
        grant.prolong(leaseTime);
        return !grant.isOver(); // The connection may have been lost meanwhile.
    }

    private boolean enterAgain(Grant grant, Duration lockTime) throws StoreException, InterruptedException {
        Owner owner = grant.owner;
        if (grant.entered == 1) {
            if (!isEntered(grant, lockTime)) {
                return false;
            }
        } else {
            grant.entered = 1; // Before it is asked: without an answer it may have been left, and must not be left again.
        }
        if (!locks.unlock(owner) || !locks.isLocked(owner.key()) || !isEntered(grant, lockTime)) {
            return false;
        }
        grant.entered = 2;
        return true;
    }

    /** Enters the lock; once more if a member died meanwhile, or fell silent, which may not have told its backup. */
    private boolean isEntered(Grant grant, Duration lockTime) throws StoreException, InterruptedException {
        Doubt doubt = new Doubt(cluster, Duration.ZERO);
        boolean entered = locks.tryLock(grant.owner, Duration.ZERO, lockTime);
        boolean inDoubt = doubt.isThere();
        while (entered && inDoubt) {
            doubt = new Doubt(cluster, Duration.ZERO);
            entered = locks.tryLock(grant.owner, Duration.ZERO, lockTime);
            inDoubt = doubt.aMemberDied();
        }
        return entered;
    }
}
