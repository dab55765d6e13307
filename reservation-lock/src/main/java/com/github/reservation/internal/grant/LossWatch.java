// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Clockwork;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.internal.base.Trust;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Declares the grants of one manager lost when they may not be trusted any more: a task of the {@link Clockwork} that looks at all grants
 * when the first of them is due. A new grant wakes the thread only if it is due earlier than the next look, so that in a run of equal leases
 * most acquisitions cost one comparison here. The task is over when the manager is closed, but not before its last grant has ended.
 *
 * <p>While anything is due the task runs at least once a second: the machine may have been suspended, and then the clock by which the
 * thread sleeps stood still.
 */
final class LossWatch {

    /** How soon to look again after a new grant, at the latest: grants that end at once need not wake the thread each time. */
    private static final Duration AFTER_A_NEW_GRANT = Duration.ofSeconds(1);

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** How often to run {@code forget} while there is something left to forget. */
    private static final long FORGETTING = Duration.ofMinutes(1).toNanos();

    private final Grants grants;
    private final Ticker ticker;
    private final BooleanSupplier forget;
    private final Clockwork.Alarm alarm;

    /** How many acquisitions are under way. */
    private final LongAdder acquiring = new LongAdder();

    private volatile Trust nextLook = Trust.until(0);
    private boolean mustLook = true;
    private volatile boolean closed;
    private final AtomicReference<@Nullable Runnable> whenOver = new AtomicReference<>();

    /** Runs {@code forget} after each look; it returns whether it has to run again soon. */
    LossWatch(Grants grants, Ticker ticker, BooleanSupplier forget) {
        this.grants = grants;
        this.ticker = ticker;
        this.forget = forget;
        this.alarm = new Clockwork.Alarm(ticker, AFTER_A_NEW_GRANT, this::look);
    }

    /** Makes sure that there is a thread, before anything is acquired that it must watch, until the acquisition has ended. */
    void acquisitionBegins() {
        acquiring.increment();
        alarm.join();
    }

    void acquisitionEnded() {
        acquiring.decrement();
    }

    /** Watches a grant that was just added. */
    void watch(Grant grant) {
        alarm.join(); // The task may have left the clockwork since.
        // The grant was added before this is read, and the thread sets it before it looks: one sees the other.
        Trust trust = grant.trust();
        if (trust != null && trust.isBefore(nextLook)) {
            alarm.wake();
        }
    }

    /** Ends the watch as soon as nothing is held any more, and then runs {@code whenOver}. */
    void close(Runnable whenOver) {
        this.whenOver.set(whenOver);
        closed = true;
        if (alarm.thread() == null) {
            runWhenOver();
        } else {
            alarm.wake();
        }
    }

    /** Learns that a grant has ended; of a closed manager it may have been the last. */
    void ended() {
        if (closed) {
            alarm.wake();
        }
    }

    /** Returns the thread that watches; null if there is nothing to watch. */
    @Nullable Thread thread() {
        return alarm.thread();
    }

    /** Looks at all grants if one is due or new. */
    private long look(boolean woken) {
        if (!woken && !mustLook && nextLook.left(Reading.of(ticker)) > 0) {
            return pauseUntilNextLook();
        }
        mustLook = true; // Also if this one fails.
        nextLook = Trust.until(ticker.nanos() + LeaseTimes.FOREVER);
        boolean lastLook = closed;
        Trust next = loseOverdue();
        boolean hasMoreToForget = forget.getAsBoolean();
        if (grants.isEmpty() && lastLook) {
            Threads.execute(this::runWhenOver); // It calls the store.
            return Clockwork.OVER;
        }
        if (grants.isEmpty() && !hasMoreToForget && acquiring.sum() == 0) {
            return Clockwork.IDLE;
        }
        if (woken || hasMoreToForget) {
            next = next.earlierOf(Trust.until(ticker.nanos() + (woken ? AFTER_A_NEW_GRANT.toNanos() : FORGETTING)));
        }
        nextLook = next;
        mustLook = false;
        return pauseUntilNextLook();
    }

    /** Managers look at the same moments, so that a thousand of them wake the thread once a second. */
    private long pauseUntilNextLook() {
        Reading now = Reading.of(ticker);
        long left = Math.max(0, nextLook.left(now));
        return left >= LeaseTimes.FOREVER / 2 ? left : Math.min(left, SECOND - Math.floorMod(now.nanos(), SECOND));
    }

    private void runWhenOver() {
        Runnable action = whenOver.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    /** Declares lost what is overdue; returns when the first of the others is due. */
    private Trust loseOverdue() {
        Trust next = Trust.until(ticker.nanos() + LeaseTimes.FOREVER);
        for (Grant grant : grants.all()) {
            Trust trust = grants.checkTrust(grant) ? grant.trust() : null;
            next = trust == null ? next : next.earlierOf(trust);
        }
        return next;
    }
}
