// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.BatchWork;
import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.expiration.jdbc.RowKey;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Expires a batch in one transaction:
 *
 * <ol>
 *   <li>locks the rows that are still overdue; skips those that another transaction has locked
 *   <li>changes the status of the rows, and appends their events to an outbox if there is one
 *   <li>runs the work, which comes last because it touches the rows that many transactions share
 *   <li>commits
 *   <li>publishes the events if there is no outbox
 * </ol>
 */
final class BatchTransaction<T> {

    /** What may fail. */
    private enum Phase {
        LOCK, CHANGE, WORK, COMMIT
    }

    private final ExpirationPlan<T> plan;
    private final List<RowKey> keys;
    private final BatchFailures failures;
    private Phase phase = Phase.LOCK;
    private @Nullable OpenBatch<T> batch;
    private boolean limitReached;

    /** Ends the run. */
    private @Nullable Exception fatal;

    BatchTransaction(ExpirationPlan<T> plan, List<RowKey> keys) {
        this.plan = plan;
        this.keys = keys;
        this.failures = new BatchFailures(plan.rows());
    }

    /**
     * Runs the transaction.
     *
     * @throws Exception if the run cannot go on
     */
    Outcome run() throws Exception {
        OpenBatch<T> done;
        try {
            done = plan.transactor().inTransaction(this::expire);
        } catch (Throwable e) {
            return failed(e);
        }
        Objects.requireNonNull(done, "The transactor did not run the work");
        plan.publication().ifPresent(publication -> done.events().forEach(publication.publish()));
        return new Outcome.Committed(done.accepted(), done.rejected());
    }

    /** A transactor may run this again after a failure of its own. */
    private OpenBatch<T> expire(Connection connection) throws Exception {
        batch = null;
        phase = Phase.LOCK;
        limitReached = false;
        fatal = null;
        OpenBatch<T> open = new OpenBatch<>(plan, plan.rows().lock(connection, keys, plan.reader()));
        batch = open;
        if (!open.accepted().isEmpty()) {
            phase = Phase.CHANGE;
            plan.rows().transition(connection, open.accepted());
            append(connection, open.events());
            if (plan.work().isPresent()) {
                plan.rows().mark(connection);
                phase = Phase.WORK;
                work(plan.work().get(), connection, open);
            }
        }
        phase = Phase.COMMIT;
        return open;
    }

    /** If the store did not fail, it is an event that failed. */
    private void append(Connection connection, List<Object> events) throws StoreException {
        try {
            plan.publication().ifPresent(publication -> publication.append().accept(connection, events));
        } catch (RuntimeException e) {
            throw e.getCause() instanceof StoreException cause
                    ? cause
                    : new StoreException(Kind.OUTCOME_UNKNOWN, "An event cannot be appended: " + e.getMessage(), e);
        }
    }

    private void work(BatchWork<T> work, Connection connection, OpenBatch<T> open) throws Exception {
        WorkConnection tx = new WorkConnection(plan.source(), connection);
        WorkLimit limit = new WorkLimit(plan.source(), plan.timeLimit(), tx::cancelStatements);
        Throwable failure = null;
        try {
            work.expire(tx.connection(), open);
        } catch (Throwable e) {
            failure = e;
        }
        limitReached = limit.end();
        fatal = tx.misuse();
        if (fatal == null && !limitReached && isInterrupted(failure, open)) {
            Thread.currentThread().interrupt();
            fatal = new InterruptedException("The thread was interrupted while the work ran");
            fatal.initCause(failure);
        }
        if (fatal != null) {
            throw fatal;
        }
        if (failure != null) {
            throw Errors.asException(failure);
        }
        if (limitReached) {
            throw new IllegalStateException("The work returned after it was cancelled, so it may be half done");
        }
        if (open.mustRollBack()) {
            throw new IllegalStateException(
                    "The work rejected rows", open.rejected().sequencedValues().getLast());
        }
        requireSameTransaction(connection);
    }

    /**
     * An interrupt that is not from the time limit comes from whoever runs the job, and is no fault of a row. The work may have
     * noticed it and returned, so it may be half done.
     */
    private static boolean isInterrupted(@Nullable Throwable failure, OpenBatch<?> open) {
        return Thread.currentThread().isInterrupted()
                || Stream.concat(Stream.ofNullable(failure), open.rejected().values().stream())
                        .anyMatch(InterruptedException.class::isInstance);
    }

    /** Work that swallows the failure of a deadlock goes on in a new transaction, in which the status is not changed. */
    private void requireSameTransaction(Connection connection) throws StoreException {
        try {
            plan.rows().requireMark(connection);
        } catch (StoreException e) {
            if (e.kind() == Kind.MISCONFIGURED) { // Else the connection broke.
                fatal = new IllegalStateException("The transaction of a batch of source " + plan.source()
                        + " ended while its"
                        + " work ran. The work must throw each SQLException that it gets, and send neither COMMIT nor DDL",
                        e);
            }
            throw e;
        }
    }

    private Outcome.Failed failed(Throwable e) throws Exception {
        if (fatal != null) {
            throw fatal;
        }
        Errors.throwIfOfTheJvm(e);
        if (limitReached) {
            // The row that ran, or was rejected then, need not be the slow one: all rows together may be too slow.
            return new Outcome.Failed(keys, Map.of(), tooLong(e), false);
        }
        List<RowKey> left = batch == null ? List.of() : batch.accepted();
        Map<RowKey, Throwable> rejected = batch == null ? Map.of() : batch.rejected();
        boolean contended = Stream.concat(Stream.of(e), rejected.values().stream()).anyMatch(failures::isContention);
        boolean ended = !contended && switch (phase) {
            case LOCK -> true;
            case CHANGE -> failures.isAboutNoRow(e);
            // The work can fail for any reason. If it is the database, the next attempt cannot lock the rows.
            case WORK -> false;
            case COMMIT -> !failures.isRefused(e);
        };
        if (ended) {
            throw phase == Phase.COMMIT ? BatchFailures.unknown(e) : Errors.asException(e);
        }
        return new Outcome.Failed(left, rejected, e, contended);
    }

    private TimeoutException tooLong(Throwable cause) {
        TimeoutException tooLong =
                new TimeoutException("The work took longer than " + plan.timeLimit() + " and was cancelled");
        tooLong.initCause(cause);
        return tooLong;
    }
}
