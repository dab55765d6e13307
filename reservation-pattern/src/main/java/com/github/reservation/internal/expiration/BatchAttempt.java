// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.expiration.BatchFailures.Phase;
import com.github.reservation.internal.expiration.jdbc.RowKey;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to expire rows that a transaction has locked. It runs the work, and right before the first statement of the work it
 * changes the status of the rows, and appends their events to an outbox if there is one. So the work touches the rows that many
 * transactions share last.
 */
final class BatchAttempt<T> {

    private final ExpirationPlan<T> plan;
    private final BatchFailures failures;
    private final Connection connection;
    private final OpenBatch<T> batch;

    /** Until when all calls of the work together may take, by the ticker. */
    private final long deadline;

    private Phase phase = Phase.WORK;
    private @Nullable StoreException failedChange;
    private boolean limitReached;

    /** Ends the run. */
    private @Nullable Exception fatal;

    BatchAttempt(ExpirationPlan<T> plan, Connection connection, OpenBatch<T> batch) {
        this.plan = plan;
        this.failures = new BatchFailures(plan.rows());
        this.connection = connection;
        this.batch = batch;
        this.deadline = plan.deadline();
    }

    OpenBatch<T> batch() {
        return batch;
    }

    /**
     * Changes the rows and runs the work. What fails afterwards is the commit.
     *
     * @throws Exception if the transaction must be rolled back; {@link #outcomeOf} says what that means
     */
    void run() throws Exception {
        work();
        change();
        phase = Phase.COMMIT;
    }

    /** Work that throws before its first statement and has named a row has done nothing yet: it runs again without the row. */
    private void work() throws Exception {
        boolean again = true;
        while (again && !batch.rows().isEmpty()) {
            int rejected = batch.rejected().size();
            Throwable failure = callWork();
            again = failure != null && !limitReached && !batch.isChanged() && batch.rejected().size() > rejected;
            if (failure != null && !again) {
                throw Errors.asException(failure);
            }
        }
    }

    /** Returns what the work threw. */
    private @Nullable Throwable callWork() throws Exception {
        WorkConnection tx = new WorkConnection(plan.source(), connection, this::changeBeforeStatement);
        Throwable failure = limited(tx);
        fatal = tx.misuse();
        if (fatal == null && !limitReached) {
            fatal = interrupt(failure);
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
        if (batch.mustRollBack()) {
            throw new IllegalStateException(
                    "Rows were rejected while the work was under way", batch.rejected().sequencedValues().getLast());
        }
        return failure;
    }

    private @Nullable Throwable limited(WorkConnection tx) {
        long left = Math.max(1, deadline - plan.ticker().nanos());
        WorkLimit limit = new WorkLimit(plan.source(), Duration.ofNanos(left), tx::cancelStatements);
        Throwable failure = null;
        try {
            plan.work().expire(tx, batch);
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
    private @Nullable InterruptedException interrupt(@Nullable Throwable failure) {
        InterruptedException interrupt = Stream.concat(Stream.ofNullable(failure), batch.rejected().values().stream())
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
    private void changeBeforeStatement() throws SQLException {
        try {
            change();
        } catch (StoreException e) {
            failedChange = e;
            throw new SQLException("The status of the rows could not be changed", e);
        }
    }

    private void change() throws StoreException {
        if (batch.isChanged()) {
            return;
        }
        phase = Phase.CHANGE;
        List<RowKey> accepted = batch.change();
        if (!accepted.isEmpty()) {
            plan.rows().transition(connection, accepted);
            append(batch.events());
        }
        phase = Phase.WORK;
    }

    /** If the store did not fail, it is an event that failed. */
    private void append(List<Object> events) throws StoreException {
        try {
            plan.publication().ifPresent(publication -> publication.append().accept(connection, events));
        } catch (RuntimeException e) {
            throw e.getCause() instanceof StoreException cause
                    ? cause
                    : new StoreException(Kind.OUTCOME_UNKNOWN, "An event cannot be appended: " + e.getMessage(), e);
        }
    }

    /** Returns what a failure means. */
    Outcome outcomeOf(Throwable e) {
        if (fatal != null) {
            return new Outcome.Ended(fatal);
        }
        if (limitReached) {
            // The row that ran need not be the slow one: all rows together may be too slow.
            return failures.endOfRun(phase, e).orElseGet(() -> new Outcome.Undecided(batch.locked(), tooLong(e)));
        }
        if (failures.isContention(e) || failures.contentionIn(batch.rejected().values()).isPresent()) {
            return new Outcome.Contended(batch.locked(), e);
        }
        if (batch.mustRollBack()) {
            return new Outcome.Rejected(batch.rejected());
        }
        return failures.endOfRun(phase, e).orElseGet(() -> phase == Phase.COMMIT
                ? new Outcome.Undecided(batch.locked(), e)
                : new Outcome.Failed(batch.locked(), e));
    }

    private TimeoutException tooLong(Throwable cause) {
        TimeoutException tooLong =
                new TimeoutException("The work took longer than " + plan.timeLimit() + " and was cancelled");
        tooLong.initCause(cause);
        return tooLong;
    }
}
