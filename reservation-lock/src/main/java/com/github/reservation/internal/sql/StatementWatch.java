// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.base.Clockwork;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Cancels statements that take too long, and aborts their connections if that does not end them.
 *
 * <p>A cancel is for drivers whose own time limit is expensive: pgjdbc wakes a thread for every statement that has one. It is sent on
 * another connection, to the server. If the statement's own connection has gone silent, the answer never comes, whatever the server
 * does: only the end of the connection wakes the thread that waits for it.
 *
 * <p>It is a task of the {@link Clockwork}, for all managers of the JVM.
 */
final class StatementWatch {

    /** The one of this JVM. */
    static final StatementWatch SHARED = new StatementWatch(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final long patience;
    private final Set<Watched> running = ConcurrentHashMap.newKeySet();
    private final Clockwork.Alarm alarm;

    /**
     * A statement that runs on for {@code patience} after it was to be cancelled loses its connection.
     *
     * @param rest how long new statements need not wake the thread after one of them did
     */
    StatementWatch(Duration rest, Duration patience) {
        this.patience = patience.toNanos();
        this.alarm = new Clockwork.Alarm(
                rest, woken -> Clockwork.runDue(running, Watched::nextDeadline, Watched::endIfOverdue));
    }

    /** Returns whether the thread watches. */
    boolean isAwake() {
        return alarm.thread() != null;
    }

    /** The statements of one connection, one after another. */
    final class Watched implements AutoCloseable {

        /** Held while a statement is cancelled, so that the connection is not used or given back meanwhile. */
        private final Lock cancelling = new ReentrantLock();

        /** Held while the connection is aborted. Another lock, because a cancel can hang as long as the statement. */
        private final Lock aborting = new ReentrantLock();

        private final Connection connection;
        private volatile @Nullable Statement statement;
        private volatile long limit;
        private volatile long cancelAt;
        private volatile long abortAt;

        /** The statement that was to be cancelled, at least once. */
        private volatile @Nullable Statement overdue;

        private volatile boolean aborted;

        Watched(Connection connection) {
            this.connection = connection;
        }

        /** Starts the time limit of a statement, in place of the one before. */
        void start(Statement next, Duration nextLimit) {
            if (overdue != null) {
                awaitCancel();
            }
            limit = nextLimit.toNanos();
            cancelAt = System.nanoTime() + limit;
            statement = next;
            running.add(this);
            alarm.set(cancelAt);
        }

        /** Returns when there is something to do; nothing is done twice, because each step moves its own deadline. */
        @SuppressWarnings("ReferenceEquality") // The same statement, not one that a pool considers equal.
        private long nextDeadline() {
            boolean isCancelled = overdue != null && overdue == statement && !aborted; // Not the one before, whose abort failed.
            return isCancelled && abortAt - cancelAt < 0 ? abortAt : cancelAt;
        }

        /** Returns whether the connection was aborted; after {@link #close} it is not aborted any more. */
        boolean isAborted() {
            return aborted;
        }

        /** Waits for a cancel or an abort that is under way: it would hit what the connection is used for next. */
        @Override
        public void close() {
            running.remove(this);
            awaitCancel();
        }

        private void awaitCancel() {
            aborting.lock();
            try {
                statement = null; // From now on, nothing begins.
            } finally {
                aborting.unlock();
            }
            if (aborted) {
                return; // The connection is not used again, and the cancel may hang.
            }
            if (lockInTime(cancelling)) {
                overdue = null;
                cancelling.unlock();
            } else { // The cancel hangs: it could still hit the next user of the connection.
                end(aborting, this::abort);
            }
        }

        private boolean lockInTime(Lock lock) {
            long giveUp = System.nanoTime() + patience;
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return lock.tryLock(giveUp - System.nanoTime(), TimeUnit.NANOSECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @SuppressWarnings("ReferenceEquality") // The same statement, not one that a pool considers equal.
        private void endIfOverdue() {
            long now = System.nanoTime();
            Statement late = statement;
            if (late == null) {
                return;
            }
            try {
                // Both can take long, and other statements may be overdue too.
                if (cancelAt - now <= 0) {
                    cancelAt = now + limit; // Cancel again later: the statement may not have started yet.
                    if (overdue != late) {
                        abortAt = now + patience; // Not earlier: this process itself may have been stopped.
                        overdue = late;
                    }
                    Threads.execute(() -> endIfRunning(late, cancelling, late::cancel));
                }
                if (overdue == late && !aborted && abortAt - now <= 0) {
                    abortAt = now + patience; // Abort again later if that fails.
                    Threads.execute(() -> endIfRunning(late, aborting, this::abort));
                }
            } catch (Throwable e) {
                Log.warn("Could not start a thread to end a statement that takes too long; will try again", e);
            }
        }

        /** Aborts the connection here, not later on another thread: by then it could be in use again. */
        private void abort() throws SQLException {
            connection.abort(Runnable::run);
            aborted = true;
            Log.debug("Aborted a connection that did not answer after its statement was cancelled", null);
        }

        @SuppressWarnings("ReferenceEquality") // The same statement, not one that a pool considers equal.
        private void endIfRunning(Statement late, Lock once, Ending ending) {
            end(once, () -> {
                if (statement == late) {
                    ending.run();
                }
            });
        }

        private void end(Lock once, Ending ending) {
            if (!once.tryLock()) {
                return;
            }
            try {
                ending.run();
            } catch (SQLException | RuntimeException e) {
                Log.debug("Could not end a statement that takes too long", e);
            } finally {
                once.unlock();
            }
        }
    }

    /** A way to end a statement. */
    @FunctionalInterface
    private interface Ending {
        void run() throws SQLException;
    }
}
