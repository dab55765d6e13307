// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Log;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Declares the holds of one manager lost when they may not be trusted any more, and forgets those that nobody will ask about.
 *
 * <p>The {@link WatchThread} has it look at all holds when the first of them is due. A new hold wakes the thread only if it is
 * due earlier than it would look anyway, so that in a run of equal leases most acquisitions cost one comparison here. A manager
 * leaves the thread when it is closed, but not before its last hold has ended.
 */
final class LossWatch {

    /** How often to look whether the threads of lost holds have ended. */
    private static final long FORGETTING = Duration.ofMinutes(1).toNanos();

    private final HoldTable holds;
    private final Losses losses;
    private final Ticker ticker;

    /** Guards joining and leaving the thread, which are rare. */
    private final Lock joining = new ReentrantLock();

    private volatile @Nullable WatchThread thread;
    private volatile boolean looking = true;
    private volatile boolean asked = true;
    private volatile long looksAt;
    private volatile boolean closed;
    private volatile Runnable whenOver = () -> {};

    LossWatch(HoldTable holds, Losses losses, Ticker ticker) {
        this.holds = holds;
        this.losses = losses;
        this.ticker = ticker;
    }

    /** Makes sure that there is a thread, before anything is acquired that it must watch. */
    void prepare() {
        if (thread == null) {
            join();
        }
    }

    private void join() {
        joining.lock();
        try {
            if (thread == null) {
                thread = WatchThread.join(ticker, this);
            }
        } finally {
            joining.unlock();
        }
        look();
    }

    /** Watches a hold that was just put into the table. */
    void watch(Hold hold) {
        prepare(); // The manager may have left the thread since.
        // The hold was put before this is read, and the thread says that it looks before it does: one sees the other.
        if (looking || hold.trustedUntil() - looksAt < 0) {
            look();
        }
    }

    /** Leaves the thread as soon as nothing is held any more, and then runs {@code whenOver}. */
    void close(Runnable whenOver) {
        this.whenOver = whenOver;
        closed = true;
        if (thread == null) {
            whenOver.run();
        } else {
            look();
        }
    }

    /** Hears that a hold has ended; of a closed manager it may have been the last. */
    void ended() {
        if (closed) {
            look();
        }
    }

    /** Returns the thread that has this look; null if none does. */
    @Nullable WatchThread thread() {
        return thread;
    }

    /** Has the thread look soon. */
    private void look() {
        asked = true;
        WatchThread running = thread;
        if (running != null) {
            running.wake();
        }
    }

    /** Looks at all holds if one is due, there are new ones, or with {@code anyway}; returns when to look again. */
    long lookIfDue(boolean anyway) {
        if (!asked && !anyway && looksAt - ticker.nanos() > 0) {
            return looksAt;
        }
        looking = true;
        asked = false;
        boolean lastLook = closed;
        long next = lookAtAll();
        if (lastLook && nothingIsHeld()) {
            leave();
        }
        looksAt = next;
        looking = false;
        return next;
    }

    /** Leaves the thread, but for an acquisition that was under way when the manager was closed. */
    private void leave() {
        joining.lock();
        try {
            if (thread != null) {
                thread.leave(this);
                thread = null;
            }
        } finally {
            joining.unlock();
        }
        if (nothingIsHeld()) {
            whenOver.run();
        } else {
            prepare();
        }
    }

    private boolean nothingIsHeld() {
        return holds.all().stream().noneMatch(Hold::isHeld);
    }

    /** Returns when to look again. */
    private long lookAtAll() {
        long now = ticker.nanos();
        long soonest = LeaseTimes.FOREVER;
        int lost = 0;
        for (Hold hold : holds.all()) {
            tellIfOverdue(hold);
            if (hold.isHeld()) {
                soonest = Math.min(soonest, hold.trustedUntil() - now);
            } else if (!hold.thread.isAlive()) {
                holds.remove(hold);
            } else {
                lost++;
            }
        }
        if (lost > 0) {
            holds.forgetOldest(lost);
            soonest = Math.min(soonest, FORGETTING);
        }
        return now + soonest;
    }

    /** Nothing that goes wrong with one hold may keep the others from being watched. */
    private void tellIfOverdue(Hold hold) {
        try {
            losses.loseIfOverdue(hold);
        } catch (Throwable e) {
            Log.warn("Could not tell all of the loss of " + hold.identifier, e);
        }
    }
}
