// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Log;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Declares holds lost when they may not be trusted any more, and forgets those that nobody will ask about.
 *
 * <p>One daemon thread looks at all holds when the first of them is due. A new hold wakes it only if it is due earlier
 * than the thread would look anyway, so that in a run of equal leases most acquisitions cost one comparison here. It ends
 * with the manager, but not before the last hold did.
 */
final class LossWatch {

    /** A late unlock within this time after the loss is told that the lease expired, later that it holds nothing. */
    private static final Duration LEAST_REMEMBERED = Duration.ofMinutes(10);

    private final HoldTable holds;
    private final Losses losses;
    private final Ticker ticker;
    private final String threadName;
    private final long remembered;

    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean awake = true;
    private volatile long sleepsUntil;

    /** Says that there is more to look at. An unpark alone could be used up by a lock that telling and logging take. */
    private volatile boolean lookAgain;

    private volatile boolean closed;
    private volatile Runnable whenOver = () -> {};

    LossWatch(HoldTable holds, Losses losses, ManagerSettings settings) {
        this.holds = holds;
        this.losses = losses;
        this.ticker = settings.ticker();
        this.threadName = "reservation-watch-" + settings.domain();
        this.remembered = Math.max(LEAST_REMEMBERED.toNanos(), LeaseTimes.nanos(settings.leaseTime()));
    }

    /** Makes sure that there is a thread, before anything is acquired that it must watch. */
    void prepare() {
        startOnce();
    }

    /** Watches a hold that was just put into the table. */
    void watch(Hold hold) {
        startOnce(); // It may have ended with the manager since.
        // The hold was put before this is read, and the thread says that it is awake before it looks: one sees the other.
        if (awake || hold.dueAt(remembered) - sleepsUntil < 0) {
            wake();
        }
    }

    /** Ends the thread as soon as nothing is held any more, and then runs {@code whenOver}. */
    void close(Runnable whenOver) {
        this.whenOver = whenOver;
        closed = true;
        Thread running = thread.get();
        if (running == null) {
            whenOver.run();
        } else {
            wake();
        }
    }

    /** Hears that a hold has ended; of a closed manager it may have been the last. */
    void ended() {
        if (closed) {
            wake();
        }
    }

    private void wake() {
        lookAgain = true;
        LockSupport.unpark(thread.get());
    }

    boolean isRunning() {
        return thread.get() != null;
    }

    private void startOnce() {
        if (thread.get() == null) {
            Thread fresh = Thread.ofPlatform()
                    .daemon()
                    .name(threadName)
                    .inheritInheritableThreadLocals(false)
                    .unstarted(this::run);
            if (thread.compareAndSet(null, fresh)) {
                start(fresh);
            }
        }
    }

    private void start(Thread fresh) {
        try {
            fresh.start();
        } catch (OutOfMemoryError e) {
            thread.set(null); // No thread to be had; nothing was acquired, and the next one tries again.
            throw e;
        }
    }

    private void run() {
        while (true) {
            awake = true;
            lookAgain = false;
            boolean lastLook = closed;
            long next = look();
            if (lastLook && nothingIsHeld()) {
                end();
                return;
            }
            sleepsUntil = next;
            awake = false;
            if (!lookAgain) {
                ticker.parkUntil(this, next);
            }
            Thread.interrupted(); // Nobody has a reason to; but with the flag up no park would last.
        }
    }

    /** Ends the thread, but for an acquisition that was under way when the manager was closed. */
    private void end() {
        thread.set(null);
        if (nothingIsHeld()) {
            whenOver.run();
        } else {
            startOnce();
        }
    }

    private boolean nothingIsHeld() {
        return holds.all().stream().noneMatch(Hold::isHeld);
    }

    /** Nothing that goes wrong with one hold may keep the others from being watched. */
    private void tellIfOverdue(Hold hold) {
        try {
            losses.loseIfOverdue(hold);
        } catch (Throwable e) {
            Log.warn("Could not tell all of the loss of " + hold.identifier, e);
        }
    }

    /** Looks at all holds; returns when to look again. */
    private long look() {
        long now = ticker.nanos();
        long next = now + LeaseTimes.FOREVER;
        for (Hold hold : holds.all()) {
            tellIfOverdue(hold);
            long due = hold.dueAt(remembered);
            if (!hold.isHeld() && (!hold.thread.isAlive() || due - now <= 0)) {
                holds.remove(hold);
            } else if (due - next < 0) {
                next = due;
            }
        }
        return next;
    }
}
