// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.store.Errors;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.RowKey;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to expire a batch, in one transaction:
 *
 * <ol>
 *   <li>locks the rows that are still overdue; skips those that another transaction has locked
 *   <li>changes their status, right before the first statement of the work, and appends the events to an outbox if there is one
 *   <li>runs the work, which so touches the rows that many transactions share last
 *   <li>commits
 *   <li>publishes the events if there is no outbox
 * </ol>
 */
final class BatchTransaction<T> {

    private final ExpirationPlan<T> plan;
    private final BatchFailures failures;
    private final List<RowKey> keys;
    private BatchFailures.Phase phase = BatchFailures.Phase.LOCK;
    private @Nullable OpenBatch<T> batch;
    private @Nullable StoreException failedChange;
    private boolean limitReached;
    private boolean publisherFailed;

    /** Ends the run. */
    private @Nullable Exception fatal;

    BatchTransaction(ExpirationPlan<T> plan, List<RowKey> keys) {
        this.plan = plan;
        this.failures = new BatchFailures(plan.rows());
        this.keys = keys;
    }

    /**
     * Runs the transaction.
     *
     * @throws Exception if the run cannot go on
     */
    Outcome run() throws Exception {
        try {
            plan.transactor().inTransaction(this::expire);
        } catch (Throwable e) {
            return outcomeOf(e);
        }
        OpenBatch<T> committed = Objects.requireNonNull(batch, "The transactor did not run the work");
        committed.events().forEach(this::publish);
        return new Outcome.Committed(committed.accepted(), committed.rejected());
    }

    /** A transactor may run this again after a failure of its own. */
    private OpenBatch<T> expire(Connection connection) throws Exception {
        phase = BatchFailures.Phase.LOCK;
        failedChange = null;
        limitReached = false;
        OpenBatch<T> open =
                new OpenBatch<>(plan.rows().lock(connection, keys, plan.reader()::read), plan.event());
        batch = open;
        if (!open.rows().isEmpty()) {
            phase = BatchFailures.Phase.WORK;
            work(connection, open);
            change(connection, open);
        }
        phase = BatchFailures.Phase.COMMIT;
        return open;
    }

    private void work(Connection connection, OpenBatch<T> open) throws Exception {
        WorkConnection tx =
                new WorkConnection(plan.source(), connection, () -> changeBeforeStatement(connection, open));
        Throwable failure = callWork(tx, open);
        fatal = tx.misuse();
        if (fatal == null && !limitReached) {
            fatal = interrupt(open, failure);
        }
        if (fatal != null) {
            throw fatal;
        }
        if (failedChange != null) {
            throw failedChange;
        }
        Optional<Throwable> contention = failures.contentionIn(tx.failures());
        if (contention.isPresent()) {
            throw Errors.asException(contention.get());
        }
        if (open.isRejectedLate()) {
            throw new IllegalStateException(
                    "Rows were rejected after their status was changed", open.rejected().sequencedValues().getLast());
        }
        if (failure != null) {
            throw Errors.asException(failure);
        }
    }

    private @Nullable Throwable callWork(WorkConnection tx, OpenBatch<T> open) {
        WorkLimit limit = new WorkLimit(plan.timeLimit(), tx::cancelStatements);
        Throwable failure = null;
        try {
            plan.work().expire(tx.connection(), open);
        } catch (Throwable e) {
            failure = e;
        }
        limitReached = limit.end();
        tx.end();
        return failure == null && limitReached
                ? new IllegalStateException("The work returned after it was cancelled, so it may be half done")
                : failure;
    }

    /**
     * An interrupt that is not from the time limit comes from whoever runs the job, and is no fault of a row. The work may have
     * noticed it and returned, so it may be half done.
     */
    private static @Nullable InterruptedException interrupt(OpenBatch<?> open, @Nullable Throwable failure) {
        InterruptedException interrupt = Stream.concat(Stream.ofNullable(failure), open.rejected().values().stream())
                .filter(InterruptedException.class::isInstance)
                .map(InterruptedException.class::cast)
                .findFirst()
                .orElse(null);
        if (interrupt != null) {
            Thread.currentThread().interrupt();
        } else if (Thread.currentThread().isInterrupted()) {
            interrupt = new InterruptedException("The thread was interrupted while the work ran");
            interrupt.initCause(failure);
        }
        return interrupt;
    }

    /** The work may catch the failure of this statement, which is not its own: so it is kept. */
    private void changeBeforeStatement(Connection connection, OpenBatch<T> open) throws SQLException {
        try {
            change(connection, open);
        } catch (StoreException e) {
            failedChange = e;
            throw new SQLException("The status of the rows could not be changed", e);
        }
    }

    private void change(Connection connection, OpenBatch<T> open) throws StoreException {
        if (open.isChanged()) {
            return;
        }
        phase = BatchFailures.Phase.CHANGE;
        List<RowKey> accepted = open.change();
        if (!accepted.isEmpty()) {
            plan.rows().transition(connection, accepted);
            append(connection, open.events());
        }
        phase = BatchFailures.Phase.WORK;
    }

    /** If the store did not fail, it is an event that failed. */
    private void append(Connection connection, List<Object> events) throws StoreException {
        try {
            plan.publication().append(connection, events);
        } catch (RuntimeException e) {
            throw e.getCause() instanceof StoreException cause
                    ? cause
                    : new StoreException(Kind.OUTCOME_UNKNOWN, "An event cannot be appended: " + e.getMessage(), e);
        }
    }

    private Outcome outcomeOf(Throwable e) throws Exception {
        if (fatal != null) {
            throw fatal;
        }
        OpenBatch<T> open = batch;
        if (open == null || phase == BatchFailures.Phase.LOCK) {
            if (failures.isContention(e)) {
                return new Outcome.Contended(List.of(), e);
            }
            throw Errors.asException(e);
        }
        if (!limitReached
                && (failures.isContention(e) || failures.contentionIn(open.rejected().values()).isPresent())) {
            return new Outcome.Contended(open.locked(), e);
        }
        // If the limit was reached, the row that ran need not be the slow one: all rows together may be too slow.
        if (open.isRejectedLate() && !limitReached) {
            return new Outcome.Rejected(open.rejected());
        }
        failures.throwIfRunEnds(phase, e);
        return new Outcome.Failed(open.locked(), limitReached ? tooLong(e) : e);
    }

    private TimeoutException tooLong(Throwable cause) {
        TimeoutException tooLong =
                new TimeoutException("The work took longer than " + plan.timeLimit() + " and was cancelled");
        tooLong.initCause(cause);
        return tooLong;
    }

    private void publish(Object event) {
        try {
            plan.publication().publish(event);
        } catch (Throwable e) {
            if (publisherFailed) {
                Log.debug("The publisher of source " + plan.source() + " failed again", e);
            } else {
                Log.warn("The publisher of source " + plan.source() + " failed; the rows stay expired", e);
            }
            publisherFailed = true;
        }
    }
}
