// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread of the JVM that waits for deadlines. It runs small tasks, each of which says when to run it again. Tasks on
 * another ticker, as in tests, have another thread.
 *
 * <p>All deadlines depend on this thread. So a task must be quick: it calls no store and no listener, but hands such calls to a worker of
 * {@link Threads}. Tests assert that, see {@link #isThisThread}.
 *
 * <p>A task is in the clockwork only while there is something to wait for. It leaves after some seconds without, and the thread ends when
 * the last task has left: not everything that has a task is closed.
 */
public final class Clockwork {

    /** The result of a task that has nothing to wait for: it leaves, unless it is woken within five seconds. */
    public static final long IDLE = -1;

    /** The result of a task that is not needed any more: it leaves now. */
    public static final long OVER = -2;

    private static final String NAME = "reservation-clock";
    private static final long KEPT_IDLE = Duration.ofSeconds(5).toNanos();
    private static final long AFTER_A_FAILURE = Duration.ofSeconds(1).toNanos();

    /** How many milliseconds the time of day must move by, on its own, so that all tasks run. Less is how a clock is adjusted. */
    private static final long NOTICED_MOVE = Duration.ofMillis(100).toMillis();

    private static final Lock SHARING = new ReentrantLock();
    private static final IdentityHashMap<Ticker, Clockwork> RUNNING = new IdentityHashMap<>();

    /** Something that is to be done in time. */
    @FunctionalInterface
    public interface Task {

        /**
         * Does what is due.
         *
         * @param woken whether somebody asked for this run
         * @return in how many nanoseconds to run again at the latest, or {@link #IDLE}, or {@link #OVER}
         */
        long run(boolean woken);
    }

    private final Ticker ticker;
    private final Set<Alarm> alarms = ConcurrentHashMap.newKeySet();
    private final Thread thread = Threads.platform(NAME, this::run);

    /** Says that an alarm was woken. An unpark alone could be used up by a lock that a task takes. */
    private volatile boolean lookAgain;

    /** By how many milliseconds the time of day was ahead of the ticker when the tasks last took notice. */
    private long timeOfDayAhead;

    private Clockwork(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Returns whether the current thread is the one of a clockwork, which nothing may block. */
    public static boolean isThisThread() {
        return Thread.currentThread().getName().equals(NAME);
    }

    /**
     * Does what is due of many things that each have a deadline by the JVM's clock; returns the result of such a task. What stays due, as
     * until another thread has taken it out, is nothing to wait for.
     */
    public static <T> long runDue(Collection<T> all, ToLongFunction<T> deadline, Consumer<T> due) {
        long now = System.nanoTime();
        long pause = IDLE;
        for (T one : all) {
            long left = deadline.applyAsLong(one) - now;
            if (left <= 0) {
                due.accept(one);
                left = deadline.applyAsLong(one) - now; // It may have another one now.
            }
            pause = left > 0 && (pause == IDLE || left < pause) ? Math.min(left, LeaseTimes.FOREVER) : pause;
        }
        return pause;
    }

    /** When to run a task. Any thread may set it. */
    public static final class Alarm {

        private final Ticker ticker;
        private final long rest;
        private final Task task;
        private volatile @Nullable Clockwork clockwork;
        private volatile boolean woken;
        private volatile long nextRun;
        private boolean wasIdle;

        /** An alarm by the clock of the JVM. */
        public Alarm(Duration rest, Task task) {
            this(Ticker.system(), rest, task);
        }

        /**
         * An alarm that is not set yet.
         *
         * @param rest how soon to run the task again after it was woken, at the latest: many deadlines that come one after another, and
         *     pass before they are due, need not wake the thread each time
         */
        public Alarm(Ticker ticker, Duration rest, Task task) {
            this.ticker = ticker;
            this.rest = rest.toNanos();
            this.task = task;
        }

        /** Makes sure that the task runs until the deadline, which it must know already. */
        public void set(long deadline) {
            join();
            // The task knew the deadline before this is read, and the thread sets it before it runs the task: one sees the other.
            if (deadline - nextRun < 0) {
                wake();
            }
        }

        /**
         * Makes sure that there is a thread, which then runs the task.
         *
         * @throws OutOfMemoryError if the system has no thread left
         */
        public void join() {
            if (clockwork != null) {
                return;
            }
            SHARING.lock();
            try {
                if (clockwork == null) {
                    Clockwork running = RUNNING.get(ticker);
                    if (running == null) {
                        running = new Clockwork(ticker);
                        running.thread.start();
                        RUNNING.put(ticker, running);
                    }
                    woken = true;
                    running.alarms.add(this);
                    clockwork = running;
                    running.look();
                }
            } finally {
                SHARING.unlock();
            }
        }

        /** Runs the task soon, if it is in the clockwork. */
        public void wake() {
            Clockwork running = clockwork;
            if (running != null) {
                woken = true;
                running.look();
            }
        }

        /** Returns the thread that runs the task; null if the task waits for nothing. */
        public @Nullable Thread thread() {
            Clockwork running = clockwork;
            return running == null ? null : running.thread;
        }

        /** Runs the task if it is time, or if the time of day has moved; returns when it is the next time. */
        private long runIfDue(long now, boolean moved) {
            if (clockwork == null) {
                return now + LeaseTimes.FOREVER; // It is just joining, and makes the thread look again.
            }
            boolean wasWoken = woken;
            boolean isDue = nextRun - now <= 0;
            if (!wasWoken && !isDue && !moved) {
                return nextRun;
            }
            nextRun = now + LeaseTimes.FOREVER;
            woken = false;
            long pause = run(wasWoken);
            if (pause == OVER || (pause == IDLE && wasIdle && isDue && !wasWoken)) {
                wasIdle = false;
                leave();
                return nextRun;
            }
            wasIdle = pause == IDLE;
            nextRun = now + (wasIdle ? KEPT_IDLE : wasWoken ? Math.min(rest, pause) : pause);
            return nextRun;
        }

        /** Nothing that goes wrong with one task may keep the others from running. */
        private long run(boolean wasWoken) {
            try {
                return task.run(wasWoken);
            } catch (Throwable e) {
                Log.warn("A task that watches deadlines failed; tried again in a second", e);
                return AFTER_A_FAILURE;
            }
        }

        /** What set the alarm before this has seen it in the clockwork, and is seen now; what sets it later has it join again. */
        private void leave() {
            Clockwork left = clockwork;
            if (left != null) {
                left.alarms.remove(this);
            }
            clockwork = null;
            if (run(true) >= 0) {
                join();
            }
        }
    }

    private void look() {
        lookAgain = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!alarms.isEmpty() || !end()) {
            try {
                lookAgain = false;
                long now = ticker.nanos(); // Before the tasks: time may move on between them and the park.
                boolean moved = hasTimeOfDayMoved(now);
                long next = now + LeaseTimes.FOREVER;
                for (Alarm alarm : alarms) {
                    long time = alarm.runIfDue(now, moved);
                    next = time - next < 0 ? time : next;
                }
                if (!lookAgain && !alarms.isEmpty()) {
                    ticker.parkUntil(this, next);
                }
            } catch (Throwable e) { // Nothing would start the thread again.
                Log.warn("The thread that watches deadlines failed; it goes on in a second", e);
                LockSupport.parkNanos(this, AFTER_A_FAILURE);
            }
            Thread.interrupted(); // Nothing has a reason to; but with the flag up no park would last.
        }
    }

    /** Returns whether the machine was suspended since the last time, or its clock set: then a task may be due that did not seem to be. */
    private boolean hasTimeOfDayMoved(long now) {
        long ahead = ticker.epochMillis() - now / LeaseTimes.NANOS_PER_MILLI;
        boolean moved = Math.abs(ahead - timeOfDayAhead) > NOTICED_MOVE;
        timeOfDayAhead = moved ? ahead : timeOfDayAhead;
        return moved;
    }

    private boolean end() {
        SHARING.lock();
        try {
            if (!alarms.isEmpty()) {
                return false;
            }
            RUNNING.remove(ticker, this); // Not there if the system had no memory left to note that it was started.
            return true;
        } finally {
            SHARING.unlock();
        }
    }
}
