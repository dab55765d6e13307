// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The one daemon thread that looks at the grants of all managers in the JVM when the first of them is due. Managers on another
 * ticker, as in tests, have another thread. It ends when the last manager has left: closed, or without a grant for some seconds.
 *
 * <p>While anything is due it wakes at least once a second: the machine may have been suspended, and then the clock by which it
 * sleeps stood still.
 */
final class WatchThread {

    private static final long LONGEST_SLEEP = Duration.ofSeconds(1).toNanos();
    private static final Lock SHARING = new ReentrantLock();
    private static final IdentityHashMap<Ticker, WatchThread> SHARED = new IdentityHashMap<>();

    /** The listeners with calls for which the system had no thread. */
    private static final Set<ListenerCalls<?>> LATE = ConcurrentHashMap.newKeySet();

    private final Ticker ticker;
    private final Set<LossWatch> watches = new CopyOnWriteArraySet<>();
    private final Thread thread = Threads.platform("reservation-watch", this::run);

    /** Says that there is more to look at. An unpark alone could be used up by a lock that reporting takes. */
    private volatile boolean lookAgain;

    private WatchThread(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Adds the watch to those of the ticker's thread, which is started for the first of them. */
    static WatchThread join(Ticker ticker, LossWatch watch) {
        SHARING.lock();
        try {
            WatchThread shared = SHARED.get(ticker);
            if (shared == null) {
                shared = new WatchThread(ticker);
                shared.thread.start();
                SHARED.put(ticker, shared);
            }
            shared.watches.add(watch);
            return shared;
        } finally {
            SHARING.unlock();
        }
    }

    /**
     * Starts the calls as soon as the system has a thread; tried each second while any manager watches.
     *
     * @return false if that was asked for before
     */
    static boolean retry(ListenerCalls<?> late) {
        boolean isNew = LATE.add(late);
        SHARING.lock();
        try {
            SHARED.values().forEach(WatchThread::wake);
        } finally {
            SHARING.unlock();
        }
        return isNew;
    }

    void leave(LossWatch watch) {
        watches.remove(watch);
    }

    void wake() {
        lookAgain = true;
        LockSupport.unpark(thread);
    }

    Thread thread() {
        return thread;
    }

    private void run() {
        while (!isIdle() || !end()) {
            try {
                long start = ticker.nanos(); // Before the look: time may move on between the look and the park.
                long pause = lookAtAll();
                startLateCalls();
                if (!lookAgain && !isIdle()) {
                    park(start, pause);
                }
            } catch (Throwable e) { // Nobody would start the thread again.
                Log.warn("The watch for lost reservations failed; it goes on in a second", e);
                LockSupport.parkNanos(this, LONGEST_SLEEP);
            }
            Thread.interrupted(); // Nobody has a reason to; but with the flag up no park would last.
        }
    }

    private boolean isIdle() {
        return watches.isEmpty() && LATE.isEmpty();
    }

    private boolean end() {
        SHARING.lock();
        try {
            return isIdle() && SHARED.remove(ticker, this);
        } finally {
            SHARING.unlock();
        }
    }

    private static void startLateCalls() {
        for (ListenerCalls<?> late : List.copyOf(LATE)) {
            LATE.remove(late); // First: a call that finds no thread meanwhile adds it again.
            if (!late.start()) {
                LATE.add(late);
            }
        }
    }

    /** Returns for how long there is nothing to do. */
    private long lookAtAll() {
        lookAgain = false;
        long pause = LeaseTimes.FOREVER;
        for (LossWatch watch : watches) {
            pause = Math.min(pause, look(watch));
        }
        return pause;
    }

    /** Nothing that goes wrong with one manager may keep the others from being watched. */
    private long look(LossWatch watch) {
        try {
            return watch.lookIfDue();
        } catch (Throwable e) {
            Log.warn("Could not look at all reservations of a manager; tried again in a second", e);
            return LONGEST_SLEEP;
        }
    }

    private void park(long start, long pause) {
        boolean anythingIsDue = pause < LeaseTimes.FOREVER / 2 || !LATE.isEmpty();
        ticker.parkUntil(this, start + (anythingIsDue ? Math.min(pause, LONGEST_SLEEP) : pause));
    }
}
