// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.time.Duration;

/** Asks for locks, and sees to it that nobody gets one who has stopped asking. */
final class Requests {

    private static final Duration A_LITTLE = Duration.ofMillis(50);

    private final LockMap locks;
    private final LateGrants late;

    Requests(LockMap locks, LateGrants late) {
        this.locks = locks;
        this.late = late;
    }

    /** Asks for the lock; whatever is thrown, the owner has nothing afterwards, or not for long. */
    boolean tryLock(Owner owner, Duration patience, Duration leaseTime) throws StoreException, InterruptedException {
        long sent = System.nanoTime();
        boolean inDoubt = true;
        try {
            boolean locked = locks.tryLock(owner, patience, LockTimes.of(leaseTime, patience));
            inDoubt = false;
            return locked;
        } catch (InterruptedException e) {
            undo(owner, patience.minusNanos(System.nanoTime() - sent));
            throw e;
        } catch (StoreException e) {
            inDoubt = e.kind() == Kind.OUTCOME_UNKNOWN;
            throw e;
        } finally {
            if (inDoubt) {
                late.release(owner);
            }
        }
    }

    /**
     * Undoes a request that was interrupted: the cluster goes on with it, and might lock the key for somebody who has gone.
     * A second request of the same owner stands behind the first and waits a little longer: when it is answered, so was the
     * first, as a rule. It may have been overtaken if its partition was on the move, or its connection broke.
     *
     * @throws StoreException if that failed; then the lock may be there, or come
     */
    private void undo(Owner owner, Duration left) throws StoreException {
        Duration longer = left.isPositive() ? left.plus(A_LITTLE) : Duration.ZERO;
        boolean interrupted = false;
        boolean answered = false;
        try {
            while (!answered) {
                try {
                    if (locks.tryLock(owner, longer, LockTimes.of(LockTimes.A_MOMENT, longer))) {
                        locks.unlock(owner);
                        locks.giveUp(owner); // What the first request may have got.
                    }
                    answered = true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (StoreException e) {
            interrupted = true;
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "Interrupted, and then: " + e.getMessage(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
