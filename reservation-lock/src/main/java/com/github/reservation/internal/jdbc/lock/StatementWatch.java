// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.Threads;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Cancels statements that take too long, for drivers whose own time limit is dear: pgjdbc wakes a thread for every statement
 * that has one. Here one thread looks now and then whether anything is overdue, for all managers of the JVM, and ends when
 * nothing has run for a while.
 */
final class StatementWatch {

    /** The one of this JVM. Its tick is how much later than its limit a statement may be cancelled. */
    static final StatementWatch SHARED = new StatementWatch(Duration.ofMillis(100));

    private static final int QUIET_TICKS = 50;

    private final long tick;
    private final Set<Watched> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean awake = new AtomicBoolean();

    StatementWatch(Duration tick) {
        this.tick = tick.toNanos();
    }

    /** Returns whether the thread is there. */
    boolean isAwake() {
        return awake.get();
    }

    /** Ends when nothing was there to watch for a while; whoever comes at that very moment keeps it, or starts another. */
    private void watch() {
        int quiet = 0;
        while (true) {
            LockSupport.parkNanos(this, tick);
            Thread.interrupted(); // Nobody has a reason to; but with the flag up it would not pause.
            quiet = running.isEmpty() ? quiet + 1 : 0;
            running.forEach(Watched::cancelIfOverdue);
            if (quiet >= QUIET_TICKS) {
                awake.set(false);
                if (running.isEmpty() || !awake.compareAndSet(false, true)) {
                    return;
                }
            }
        }
    }

    /** The statements of one connection, one after another. */
    final class Watched implements AutoCloseable {

        /** Held while a statement is being cancelled, so that it is still ours. */
        private final Lock cancelling = new ReentrantLock();

        private final long limit;
        private volatile @Nullable Statement statement;
        private volatile long deadline;

        Watched(Duration limit) {
            this.limit = limit.toNanos();
        }

        /** Gives the statement as much time as the limit allows. */
        void start(Statement statement) {
            this.deadline = System.nanoTime() + limit;
            this.statement = statement;
            running.add(this);
            if (!awake.get() && awake.compareAndSet(false, true)) {
                try {
                    Threads.platform("reservation-statement-watch", StatementWatch.this::watch).start();
                } catch (Throwable e) {
                    awake.set(false); // The next one tries again.
                    throw e;
                }
            }
        }

        /** Waits for a cancel that is under way: once the connection is given back it would hit somebody else. */
        @Override
        public void close() {
            running.remove(this);
            cancelling.lock();
            try {
                statement = null;
            } finally {
                cancelling.unlock();
            }
        }

        private void cancelIfOverdue() {
            long now = System.nanoTime();
            Statement overdue = statement;
            if (overdue != null && deadline - now <= 0) {
                deadline = now + limit; // Once more, should it not have been under way yet.
                try {
                    // The server may take its time to hear; others may be overdue too.
                    Threads.execute(() -> cancel(overdue));
                } catch (Throwable e) {
                    Log.warn("There is no thread to cancel a statement that takes too long; tried again", e);
                }
            }
        }

        @SuppressWarnings("ReferenceEquality") // The very statement, not one that a pool takes for equal.
        private void cancel(Statement overdue) {
            if (!cancelling.tryLock()) {
                return;
            }
            try {
                if (statement == overdue) {
                    overdue.cancel();
                }
            } catch (SQLException | RuntimeException e) {
                Log.debug("Could not cancel a statement that takes too long", e);
            } finally {
                cancelling.unlock();
            }
        }
    }
}
