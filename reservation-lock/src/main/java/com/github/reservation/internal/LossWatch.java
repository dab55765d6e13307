// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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

    /** How soon to look again after a new hold, at the latest: holds that end at once need not wake the thread each time. */
    private static final long AFTER_A_NEW_HOLD = Duration.ofSeconds(1).toNanos();

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
    private volatile Trust nextLook = new Trust(0, 0);
    private volatile boolean closed;
    private final AtomicReference<@Nullable Runnable> whenOver = new AtomicReference<>();

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
        Trust trust = hold.trust();
        if (looking || (trust != null && trust.isBefore(nextLook))) {
            look();
        }
    }

    /** Leaves the thread as soon as nothing is held any more, and then runs {@code whenOver}. */
    void close(Runnable whenOver) {
        this.whenOver.set(whenOver);
        closed = true;
        if (thread == null) {
            runWhenOver();
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

    /** Looks at all holds if one is due or new; returns in how many nanoseconds to look again. */
    long lookIfDue() {
        long left = nextLook.left(Reading.of(ticker));
        if (!asked && left > 0) {
            return left;
        }
        looking = true;
        boolean isNew = asked;
        asked = false;
        boolean done = false;
        try {
            boolean lastLook = closed;
            nextLook = lookAtAll(isNew ? AFTER_A_NEW_HOLD : LeaseTimes.FOREVER);
            if (lastLook && nothingIsHeld()) {
                leave();
            }
            done = true;
        } finally {
            looking = false;
            if (!done) {
                asked = true;
            }
        }
        return nextLook.left(Reading.of(ticker));
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
            runWhenOverElsewhere();
        } else {
            prepare();
        }
    }

    /** It calls the store, and other managers need this thread. */
    private void runWhenOverElsewhere() {
        try {
            Threads.startVirtual("reservation-close", this::runWhenOver);
        } catch (Throwable e) {
            runWhenOver();
            throw e;
        }
    }

    private void runWhenOver() {
        Runnable action = whenOver.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    private boolean nothingIsHeld() {
        return holds.all().stream().noneMatch(Hold::isHeld);
    }

    /** Returns when to look again: after the given time, or before if a hold is due or there are some to forget. */
    private Trust lookAtAll(long longest) {
        Reading now = Reading.of(ticker);
        Trust next = Trust.until(now.nanos() + longest);
        int lost = 0;
        for (Hold hold : holds.all()) {
            if (hold.isHeld()) {
                losses.loseIfOverdue(hold);
            }
            Trust trust = hold.trust();
            if (trust != null) {
                next = next.earlierOf(trust);
            } else if (hold.thread.isAlive()) {
                lost++;
            } else {
                holds.remove(hold);
            }
        }
        if (lost > 0) {
            holds.forgetOldest(lost);
            next = next.earlierOf(Trust.until(now.nanos() + FORGETTING));
        }
        return next;
    }
}
