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
 * Finds out whether this side of a cluster may still lock, when it may have been split. If split-brain protection forbids
 * it, the other side frees what is held here.
 *
 * <p>The members of one side notice a split one after the other, and their protection some moments later. So one answer is
 * not enough: it asks for some seconds, and for as long as it is refused. Its thread lives only that long.
 */
final class Majority {

    /** Has no holder, ever: an identifier is not empty. */
    private static final String NOBODYS_KEY = "";

    private static final Duration LONGEST_DOUBT = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final LockMap locks;
    private final Runnable whenRefused;
    private final String threadName;

    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile long inDoubtUntil = System.nanoTime();
    private volatile boolean asked;
    private volatile boolean refused;
    private volatile boolean closed;

    /** Runs {@code whenRefused} each time it is refused. */
    Majority(LockMap locks, Runnable whenRefused, String mapName) {
        this.locks = locks;
        this.whenRefused = whenRefused;
        this.threadName = "reservation-majority-" + mapName;
    }

    /** Hears that the cluster may have been split; finds out in the background. */
    void ask() {
        inDoubtUntil = System.nanoTime() + LONGEST_DOUBT.toNanos();
        asked = true;
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
        Duration pause = FIRST_PAUSE;
        try {
            while (isInDoubt()) {
                pause = asked ? FIRST_PAUSE : longer(pause);
                asked = false;
                look();
                LockSupport.parkNanos(this, pause.toNanos());
            }
        } finally {
            thread.set(null);
        }
        if (isInDoubt()) {
            Threads.startOnce(thread, threadName, this::run); // Somebody has asked who saw this thread alive.
        }
    }

    private boolean isInDoubt() {
        return !closed && (refused || inDoubtUntil - System.nanoTime() > 0);
    }

    /** Without an answer everything stays as it was; it is asked again. */
    private void look() {
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
            locks.forceUnlock(NOBODYS_KEY); // As a lock it is refused by the protection, but it changes nothing.
            return true;
        } catch (StoreException e) {
            if (e.getCause() instanceof SplitBrainProtectionException) {
                return false;
            }
            throw e;
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
