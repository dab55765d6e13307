// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Asks for locks, and makes sure that a request that fails leaves nothing locked. */
final class LockRequests {

    private static final Duration A_LITTLE = Duration.ofMillis(50);

    private final LockMap map;
    private final ClusterWatch cluster;
    private final LateGrantCleanup late;

    LockRequests(LockMap map, ClusterWatch cluster, LateGrantCleanup late) {
        this.map = map;
        this.cluster = cluster;
        this.late = late;
    }

    /**
     * Asks for the lock of the lease, for as long as {@code patience}; null if another owner has it. Asks again if a member died
     * or fell silent meanwhile. That member may have granted the lock without telling its backup: Hazelcast waits for the
     * backup for some seconds, and then says yes all the same.
     */
    @Nullable OwnedLock acquire(LeaseId lease, Duration leaseTime, Duration patience)
            throws StoreException, InterruptedException {
        LockOwner owner = LockOwner.of(lease.key());
        AnswerCheck check = new AnswerCheck(cluster, patience);
        if (!tryLock(owner, patience, leaseTime)) {
            return null;
        }
        boolean askedAgain = check.isDoubtful();
        for (boolean inDoubt = askedAgain; inDoubt; inDoubt = check.memberDied()) {
            check = new AnswerCheck(cluster);
            if (!isConfirmed(owner, leaseTime.plus(patience))) {
                return null;
            }
        }
        OwnedLock lock = new OwnedLock(lease, owner, leaseTime);
        lock.holdCountMayBeHigher = askedAgain;
        return lock;
    }

    private boolean isConfirmed(LockOwner owner, Duration leaseTime) throws StoreException, InterruptedException {
        try {
            return tryLock(owner, Duration.ZERO, leaseTime);
        } catch (StoreException e) {
            if (e.kind() != Kind.OUTCOME_UNKNOWN) {
                late.release(owner); // This request was not carried out, but the first one was granted.
            }
            throw e;
        }
    }

    /** Asks for the lock; whatever is thrown, the owner has nothing afterwards, or not for long. */
    private boolean tryLock(LockOwner owner, Duration patience, Duration leaseTime)
            throws StoreException, InterruptedException {
        long sent = System.nanoTime();
        boolean inDoubt = true;
        try {
            boolean locked = map.tryLock(owner, patience, LockTimes.of(leaseTime, patience));
            inDoubt = false;
            return locked;
        } catch (InterruptedException e) {
            undo(owner, patience.isZero() ? patience : left(patience, sent).plus(A_LITTLE));
            inDoubt = false;
            late.releaseUnlikely(owner);
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

    private static Duration left(Duration patience, long sent) {
        Duration left = patience.minusNanos(System.nanoTime() - sent);
        return left.isPositive() ? left : Duration.ZERO; // The cluster began to count later.
    }

    /**
     * Undoes a request that was interrupted: the cluster goes on with it, and might lock the key although the caller has gone. A
     * second request of the same owner queues behind the first and waits a little longer. When it is answered, the first one was
     * answered too, as a rule. The second may have overtaken the first if the partition was on the move, or a connection broke.
     * No interrupt reaches the thread that makes it: each one would leave one more request in the cluster.
     *
     * @throws StoreException if that failed; then the key may be locked, now or later
     */
    private void undo(LockOwner owner, Duration longer) throws StoreException {
        FutureTask<Void> undoing = new FutureTask<>(() -> {
            if (map.tryLock(owner, longer, LockTimes.of(LockTimes.A_MOMENT, longer))) {
                map.unlock(owner);
            }
            map.unlockAll(owner); // The first may be granted although the second is refused: others can wait between them.
            return null;
        });
        Threads.execute(undoing);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    undoing.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            interrupted = true;
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "Interrupted, and then: " + e.getCause(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
