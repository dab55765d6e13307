// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Releases what the cluster may still grant to those who have gone.
 *
 * <p>A request that was broken off lives on in Hazelcast: a client repeats it when it has its cluster again, and a member
 * when a partition has moved. Nobody can take it back, or see it. So its owner, who asks for nothing else any more, gives
 * back whatever it may have got, again and again until it is too late for the request to be carried out.
 */
final class LateGrants {

    /** Hazelcast repeats a request after a second at the latest, if it can. Counts only while the cluster answers. */
    private static final Duration LATEST = Duration.ofSeconds(5);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** If the cluster fails for long, more of them would do no good; what is granted late ends with its lease. */
    private static final int MOST_AT_ONCE = 100_000;

    private final LockMap locks;
    private final Calls calls;
    private final String threadName;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);

    LateGrants(LockMap locks, Calls calls, String mapName) {
        this.locks = locks;
        this.calls = calls;
        this.threadName = "reservation-late-" + mapName;
    }

    /** Releases whatever the owner gets from now on, in the background. */
    void release(Owner owner) {
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

    private void follow(Owner owner) {
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

    /** How long one owner has been watched. */
    private final class Watch {

        private final Owner owner;
        private Duration pause = FIRST_PAUSE;
        private boolean answered;
        private long firstAnswer;
        private int cutOffs;
        private boolean wasLocked;

        Watch(Owner owner) {
            this.owner = owner;
        }

        /** Gives back what the owner has; returns whether it cannot get anything any more. */
        boolean isOver() throws InterruptedException {
            int cutOffsBefore = calls.cutOffs();
            long asked = System.nanoTime();
            try {
                giveBack();
            } catch (StoreException e) {
                answered = false;
                pause = longer(pause);
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
            pause = longer(pause);
            return asked - firstAnswer >= LATEST.toNanos();
        }

        /**
         * What is granted late stays until it is given back. So a key that is found locked once may wait: to give back enters
         * the lock if it has just become free, and whoever wants it in that moment is refused.
         */
        private void giveBack() throws StoreException, InterruptedException {
            boolean locked = locks.isLocked(owner.key());
            if (locked && wasLocked) {
                locks.giveUp(owner);
            }
            wasLocked = locked;
        }

        private static Duration longer(Duration pause) {
            Duration twice = pause.multipliedBy(2);
            return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        }
    }
}
