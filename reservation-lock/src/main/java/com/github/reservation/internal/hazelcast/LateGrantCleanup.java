// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Releases locks that the cluster grants after the caller has gone.
 *
 * <p>A request that was broken off lives on in Hazelcast: a client repeats it when it is connected again, and a member when a
 * partition has moved. Nothing can cancel the request or show it. So this class unlocks the key in the name of the request's
 * owner, again and again until it is too late for the request to be carried out. No other request has the same owner.
 */
final class LateGrantCleanup {

    /** Hazelcast repeats a request after a second at the latest, if it can. Counts only while the cluster answers. */
    private static final long LATEST_GRANT = Duration.ofSeconds(5).toNanos();

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** If the cluster fails for long, more threads would do no good: a late grant ends with its lease. */
    private static final int MOST_AT_ONCE = 100_000;

    private final LockMap locks;
    private final InFlightCalls calls;
    private final String threadName;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);

    LateGrantCleanup(LockMap locks, InFlightCalls calls, String mapName) {
        this.locks = locks;
        this.calls = calls;
        this.threadName = "reservation-late-" + mapName;
    }

    /** Releases every lock that the owner gets from now on, in the background. */
    void release(LockOwner owner) {
        if (!places.tryAcquire()) {
            Log.debug("Too many requests were broken off; a lock of " + owner.key() + " may last for a lease", null);
            return;
        }
        boolean started = false;
        try {
            Threads.startVirtual(threadName, () -> follow(owner));
            started = true;
        } finally {
            if (!started) {
                places.release();
            }
        }
    }

    private void follow(LockOwner owner) {
        try {
            Watch watch = new Watch(owner);
            while (!watch.isOver()) {
                Thread.sleep(watch.pause);
            }
        } catch (InterruptedException e) {
            Log.debug("Interrupted; a lock of " + owner.key() + " may last for a lease", e);
        } finally {
            places.release();
        }
    }

    /** Watches one owner. */
    private final class Watch {

        private final LockOwner owner;
        private Duration pause = FIRST_PAUSE;
        private boolean answered;
        private long firstAnswer;
        private int cutOffs;
        private boolean wasLocked;

        Watch(LockOwner owner) {
            this.owner = owner;
        }

        /** Unlocks what the owner has; returns whether it cannot get a lock any more. */
        boolean isOver() throws InterruptedException {
            int cutOffsBefore = calls.cutOffs();
            long asked = System.nanoTime();
            try {
                unlock();
            } catch (StoreException e) {
                answered = false;
                pauseLonger();
                // An instance that is shut down has lost its locks; one that may not unlock never will.
                return e.kind() == Kind.MISCONFIGURED || Failures.isShutDown(e.getCause());
            }
            if (!answered || cutOffs != cutOffsBefore) {
                answered = true;
                cutOffs = cutOffsBefore;
                firstAnswer = System.nanoTime();
                pause = FIRST_PAUSE;
                return false;
            }
            pauseLonger();
            return asked - firstAnswer >= LATEST_GRANT;
        }

        /**
         * Unlocks the key if it was locked the last time as well; a late grant does not go away, so it can wait for that. To
         * unlock takes the lock for a moment if it has just become free, and another caller is refused then.
         */
        private void unlock() throws StoreException, InterruptedException {
            boolean locked = locks.isLocked(owner.key());
            if (locked && wasLocked) {
                locks.unlockAll(owner);
            }
            wasLocked = locked;
        }

        private void pauseLonger() {
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        }
    }
}
