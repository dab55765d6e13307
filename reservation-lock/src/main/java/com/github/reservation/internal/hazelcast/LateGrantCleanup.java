// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.List;
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

    private static final long FIRST_PAUSE = Duration.ofMillis(50).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(500).toNanos();
    private static final List<Duration> FEW_PAUSES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(4));

    /** If the cluster fails for long, more threads would do no good: a late grant ends with its lease. */
    private static final int MOST_AT_ONCE = 100_000;

    @FunctionalInterface
    private interface Cleanup {
        void run() throws StoreException, InterruptedException;
    }

    private final LockMap map;
    private final InFlightCalls calls;
    private final String threadName;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);

    LateGrantCleanup(LockMap map, InFlightCalls calls, String mapName) {
        this.map = map;
        this.calls = calls;
        this.threadName = "reservation-late-" + mapName;
    }

    /** Releases every lock that the owner gets from now on, in the background. */
    void release(LockOwner owner) {
        start(owner, () -> unlockUntilTooLate(owner));
    }

    /** Does the same for a grant that is unlikely: it looks twice only, because a look may disturb other callers. */
    void releaseUnlikely(LockOwner owner) {
        start(owner, () -> {
            for (Duration pause : FEW_PAUSES) {
                Thread.sleep(pause);
                map.unlockAll(owner);
            }
        });
    }

    private void start(LockOwner owner, Cleanup cleanup) {
        Threads.startVirtual(threadName, () -> {
            if (!places.tryAcquire()) {
                Log.debug("Too many requests were broken off; a lock of " + owner.key() + " may last for a lease",
                        null);
                return;
            }
            try {
                cleanup.run();
            } catch (InterruptedException | StoreException e) {
                Log.debug("Not cleaned up; a lock of " + owner.key() + " may last for a lease", e);
            } finally {
                places.release();
            }
        });
    }

    /**
     * Unlocks the key whenever it is found locked twice in a row; a late grant does not go away, so it can wait for that. To
     * unlock takes the lock for a moment if it has just become free, and another caller is refused then.
     */
    private void unlockUntilTooLate(LockOwner owner) throws InterruptedException {
        long pause = FIRST_PAUSE;
        boolean wasLocked = false;
        boolean answered = false;
        long firstAnswer = 0;
        int cutOffs = 0;
        while (true) {
            int cutOffsBefore = calls.cutOffs();
            long asked = System.nanoTime();
            try {
                boolean locked = map.isLocked(owner.key());
                if (locked && wasLocked) {
                    map.unlockAll(owner);
                }
                wasLocked = locked;
                if (!answered || cutOffs != cutOffsBefore) {
                    answered = true;
                    cutOffs = cutOffsBefore;
                    firstAnswer = System.nanoTime();
                    pause = FIRST_PAUSE / 2; // Doubled below.
                } else if (asked - firstAnswer >= LATEST_GRANT) {
                    return;
                }
            } catch (StoreException e) {
                // An instance that is shut down has lost its locks; one that may not unlock never will.
                if (e.kind() == Kind.MISCONFIGURED || Failures.isShutDown(e.getCause())) {
                    return;
                }
                answered = false;
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            Thread.sleep(Duration.ofNanos(pause));
        }
    }
}
