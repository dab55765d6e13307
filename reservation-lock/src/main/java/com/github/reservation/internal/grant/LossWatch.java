// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.internal.base.Trust;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Declares the grants of one manager lost when they may not be trusted any more.
 *
 * <p>The {@link WatchThread} makes it look at all grants when the first of them is due. A new grant wakes the thread only if it
 * is due earlier than the next look, so that in a run of equal leases most acquisitions cost one comparison here. A manager
 * leaves the thread when it is closed, but not before its last grant has ended. It also leaves after some seconds in which nothing was
 * held or acquired and nothing was to be forgotten, and joins it again when it is used: not every manager is closed.
 */
final class LossWatch {

    /** How soon to look again after a new grant, at the latest: grants that end at once need not wake the thread each time. */
    private static final long AFTER_A_NEW_GRANT = Duration.ofSeconds(1).toNanos();

    /** How often to run {@code forget} while there is something left to forget. */
    private static final long FORGETTING = Duration.ofMinutes(1).toNanos();

    /** How long to stay with the thread after a look that found nothing. */
    private static final long IDLE = Duration.ofSeconds(5).toNanos();

    private final Grants grants;
    private final Ticker ticker;
    private final BooleanSupplier forget;

    /** Guards joining and leaving the thread, which are rare. */
    private final Lock joining = new ReentrantLock();

    /** How many acquisitions are under way. */
    private final LongAdder acquiring = new LongAdder();

    private volatile @Nullable WatchThread thread;
    private volatile boolean looking = true;
    private volatile boolean asked = true;
    private volatile Trust nextLook = new Trust(0, 0);
    private volatile boolean hasMoreToForget;
    private volatile boolean wasIdle;
    private volatile boolean closed;
    private final AtomicReference<@Nullable Runnable> whenOver = new AtomicReference<>();

    /** Runs {@code forget} after each look; it returns whether it has to run again soon. */
    LossWatch(Grants grants, Ticker ticker, BooleanSupplier forget) {
        this.grants = grants;
        this.ticker = ticker;
        this.forget = forget;
    }

    /** Makes sure that there is a thread, before anything is acquired that it must watch, until the acquisition has ended. */
    void acquisitionBegins() {
        acquiring.increment();
        prepare();
    }

    void acquisitionEnded() {
        acquiring.decrement();
    }

    private void prepare() {
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
        requestLook();
    }

    /** Watches a grant that was just added. */
    void watch(Grant grant) {
        prepare(); // The manager may have left the thread since.
        // The grant was added before this is read, and the thread says that it looks before it does: one sees the other.
        Trust trust = grant.trust();
        if (looking || (trust != null && trust.isBefore(nextLook))) {
            requestLook();
        }
    }

    /** Leaves the thread as soon as nothing is held any more, and then runs {@code whenOver}. */
    void close(Runnable whenOver) {
        this.whenOver.set(whenOver);
        closed = true;
        if (thread == null) {
            runWhenOver();
        } else {
            requestLook();
        }
    }

    /** Learns that a grant has ended; of a closed manager it may have been the last. */
    void ended() {
        if (closed) {
            requestLook();
        }
    }

    /** Returns the thread that this watch has joined; null if none. */
    @Nullable WatchThread thread() {
        return thread;
    }

    /** Makes the thread look soon. */
    private void requestLook() {
        asked = true;
        WatchThread running = thread;
        if (running != null) {
            running.wake();
        }
    }

    /** Looks at all grants if one is due or new; returns in how many nanoseconds to look again. */
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
            nextLook = lookAtAll(isNew ? AFTER_A_NEW_GRANT : LeaseTimes.FOREVER);
            boolean isEmpty = grants.isEmpty();
            boolean mayLeaveSoon = isEmpty && !isNew && !hasMoreToForget;
            boolean isIdle = mayLeaveSoon && acquiring.sum() == 0;
            boolean leaves = (lastLook && isEmpty) || (wasIdle && isIdle);
            wasIdle = isIdle && !leaves;
            if (leaves) {
                leave();
            } else if (mayLeaveSoon) {
                nextLook = Trust.until(ticker.nanos() + IDLE);
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

    /** Leaves the thread, but for an acquisition that was under way. */
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
        // A new grant was added, and a close noted, before the thread is looked for: what this does not see finds no thread.
        if (!grants.isEmpty()) {
            prepare();
        } else if (closed) {
            runWhenOverElsewhere();
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

    /** Returns when to look again: after the given time, or before if a grant is due or there is more to forget. */
    private Trust lookAtAll(long longest) {
        Reading now = Reading.of(ticker);
        Trust next = Trust.until(now.nanos() + longest);
        for (Grant grant : grants.all()) {
            Trust trust = grants.checkTrust(grant) ? grant.trust() : null;
            if (trust != null) {
                next = next.earlierOf(trust);
            }
        }
        hasMoreToForget = forget.getAsBoolean();
        return hasMoreToForget ? next.earlierOf(Trust.until(now.nanos() + FORGETTING)) : next;
    }
}
