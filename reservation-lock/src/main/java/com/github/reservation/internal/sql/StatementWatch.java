// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

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
 * Cancels statements that take too long, for drivers whose own time limit is expensive: pgjdbc wakes a thread for every
 * statement that has one. Here one thread checks for overdue statements at each tick, for all managers of the JVM. It ends when
 * no statement has run for a while.
 */
final class StatementWatch {

    /** The one of this JVM. A statement is cancelled at most one tick after its limit. */
    static final StatementWatch SHARED = new StatementWatch(Duration.ofMillis(100));

    private static final int QUIET_TICKS = 50;

    private final long tick;
    private final Set<Watched> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean awake = new AtomicBoolean();

    StatementWatch(Duration tick) {
        this.tick = tick.toNanos();
    }

    /** Returns whether the thread runs. */
    boolean isAwake() {
        return awake.get();
    }

    /** Ends when there was no statement for a while. A statement that comes at that moment keeps the thread, or starts another. */
    private void watch() {
        int quiet = 0;
        while (true) {
            LockSupport.parkNanos(this, tick);
            Thread.interrupted(); // With the flag set, park would return at once.
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

        /** Held while a statement is cancelled, so that the connection is not given back meanwhile. */
        private final Lock cancelling = new ReentrantLock();

        private final long limit;
        private volatile @Nullable Statement statement;
        private volatile long deadline;

        Watched(Duration limit) {
            this.limit = limit.toNanos();
        }

        /** Starts the time limit of a statement, in place of the one before. */
        void start(Statement statement) {
            this.deadline = System.nanoTime() + limit;
            this.statement = statement;
            running.add(this);
            if (!awake.get() && awake.compareAndSet(false, true)) {
                try {
                    Threads.platform("reservation-statement-watch", StatementWatch.this::watch).start();
                } catch (Throwable e) {
                    awake.set(false); // The next statement tries again.
                    throw e;
                }
            }
        }

        /** Waits for a cancel that is under way: after the connection is given back, it would hit another statement. */
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
                deadline = now + limit; // Cancel again later: the statement may not have started yet.
                try {
                    // A cancel can take long, and other statements may be overdue too.
                    Threads.execute(() -> cancel(overdue));
                } catch (Throwable e) {
                    Log.warn("Could not start a thread to cancel a statement that takes too long; will try again", e);
                }
            }
        }

        @SuppressWarnings("ReferenceEquality") // The same statement, not one that a pool considers equal.
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
