// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.Threads;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether this side of a cluster may still lock, when the cluster may be split. If split-brain protection forbids it,
 * the other side frees the locks of this one.
 *
 * <p>The members of one side notice a split one after another, and their protection some moments later. So one answer is not
 * enough: the probe asks for five seconds, and for as long as it is refused. Its thread lives only that long.
 */
final class SplitBrainProbe {

    /** An identifier is not empty, so no lease has this key. */
    private static final String UNUSED_KEY = "";

    private static final long LONGEST_DOUBT = Duration.ofSeconds(5).toNanos();
    private static final long FIRST_PAUSE = Duration.ofMillis(10).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(500).toNanos();

    private final LockMap map;
    private final Runnable whenRefused;
    private final String threadName;

    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile long inDoubtUntil = System.nanoTime();
    private volatile boolean started;
    private volatile boolean refused;
    private volatile boolean closed;

    /** Runs {@code whenRefused} after each refusal. */
    SplitBrainProbe(LockMap map, Runnable whenRefused, String mapName) {
        this.map = map;
        this.whenRefused = whenRefused;
        this.threadName = "reservation-majority-" + mapName;
    }

    /** Begins to ask in the background, because the cluster may be split. */
    void start() {
        inDoubtUntil = System.nanoTime() + LONGEST_DOUBT;
        started = true;
        if (!closed) {
            Threads.startOnce(thread, threadName, this::run);
            LockSupport.unpark(thread.get());
        }
    }

    /** Returns whether the last answer was that this side may not lock. */
    boolean isRefused() {
        return refused && !closed;
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread.get());
    }

    private void run() {
        long pause = FIRST_PAUSE;
        try {
            while (isInDoubt()) {
                pause = started ? FIRST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
                started = false;
                ask();
                LockSupport.parkNanos(this, pause);
            }
        } finally {
            thread.set(null);
        }
        if (isInDoubt()) {
            Threads.startOnce(thread, threadName, this::run); // A start came while this thread still counted as alive.
        }
    }

    private boolean isInDoubt() {
        return !closed && (refused || inDoubtUntil - System.nanoTime() > 0);
    }

    /** Asks once. Without an answer everything stays as it was, and the loop asks again. */
    private void ask() {
        try {
            refused = !mayLock();
            if (refused) {
                whenRefused.run();
            }
        } catch (StoreException e) {
            Log.debug("Could not find out whether this side of the cluster may lock; asked again", e);
            if (Failures.isShutDown(e.getCause())) {
                closed = true;
            }
        }
    }

    private boolean mayLock() throws StoreException {
        try {
            map.forceUnlock(UNUSED_KEY); // Protection treats it like a lock, but it changes nothing.
            return true;
        } catch (StoreException e) {
            if (e.getCause() instanceof SplitBrainProtectionException) {
                return false;
            }
            throw e;
        }
    }
}
