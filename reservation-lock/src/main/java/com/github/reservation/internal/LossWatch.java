// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
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
    private volatile boolean closed;

    LossWatch(HoldTable holds, Losses losses, ManagerSettings settings) {
        this.holds = holds;
        this.losses = losses;
        this.ticker = settings.ticker();
        this.threadName = "reservation-watch-" + settings.domain();
        this.remembered = Math.max(LEAST_REMEMBERED.toNanos(), LeaseTimes.nanos(settings.leaseTime()));
    }

    /** Watches a hold that was just put into the table. */
    void watch(Hold hold) {
        startOnce();
        // The hold was put before this is read, and the thread says that it is awake before it looks: one sees the other.
        if (awake || hold.dueAt(remembered) - sleepsUntil < 0) {
            LockSupport.unpark(thread.get());
        }
    }

    /** Ends the thread as soon as nothing is held any more. */
    void close() {
        closed = true;
        LockSupport.unpark(thread.get());
    }

    /** Hears that a hold has ended; of a closed manager it may have been the last. */
    void ended() {
        if (closed) {
            LockSupport.unpark(thread.get());
        }
    }

    boolean isRunning() {
        return thread.get() != null;
    }

    private void startOnce() {
        if (thread.get() == null) {
            Thread fresh = Thread.ofPlatform().daemon().name(threadName).unstarted(this::run);
            if (thread.compareAndSet(null, fresh)) {
                start(fresh);
            }
        }
    }

    private void start(Thread fresh) {
        try {
            fresh.start();
        } catch (OutOfMemoryError e) {
            thread.set(null); // No thread to be had; the next hold tries again.
            throw e;
        }
    }

    private void run() {
        while (true) {
            awake = true;
            boolean lastLook = closed;
            long next = look();
            if (lastLook && nothingIsHeld()) {
                end();
                return;
            }
            sleepsUntil = next;
            awake = false;
            ticker.parkUntil(this, next);
        }
    }

    /** Ends the thread, but for an acquisition that was under way when the manager was closed. */
    private void end() {
        thread.set(null);
        if (!nothingIsHeld()) {
            startOnce();
        }
    }

    private boolean nothingIsHeld() {
        return holds.all().stream().noneMatch(Hold::isHeld);
    }

    /** Looks at all holds; returns when to look again. */
    private long look() {
        long now = ticker.nanos();
        long next = now + LeaseTimes.FOREVER;
        for (Hold hold : holds.all()) {
            losses.loseIfOverdue(hold);
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
