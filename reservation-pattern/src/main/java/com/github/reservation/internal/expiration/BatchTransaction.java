// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.expiration.jdbc.RowKey;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Expires a batch in one transaction:
 *
 * <ol>
 *   <li>locks the rows that are still overdue; skips those that another transaction has locked
 *   <li>changes the status of the rows, appends their events to an outbox if there is one, and runs the work
 *   <li>commits
 *   <li>publishes the events if there is no outbox
 * </ol>
 */
final class BatchTransaction<T> {

    private final ExpirationPlan<T> plan;
    private final List<RowKey> keys;
    private @Nullable BatchAttempt<T> attempt;

    BatchTransaction(ExpirationPlan<T> plan, List<RowKey> keys) {
        this.plan = plan;
        this.keys = keys;
    }

    /** Runs the transaction. */
    Outcome run() {
        try {
            plan.transactor().inTransaction(this::expire);
        } catch (Throwable e) {
            return outcomeOf(e);
        }
        OpenBatch<T> batch = Objects.requireNonNull(attempt, "The transactor did not run the work").batch();
        plan.publication().ifPresent(publication -> batch.events().forEach(publication.publish()));
        return new Outcome.Committed(batch.accepted(), batch.rejected());
    }

    /** A transactor may run this again after a failure of its own. */
    private BatchAttempt<T> expire(Connection connection) throws Exception {
        attempt = null;
        OpenBatch<T> batch = new OpenBatch<>(plan, plan.rows().lock(connection, keys, plan.reader()));
        BatchAttempt<T> current = new BatchAttempt<>(plan, connection, batch);
        attempt = current;
        current.run();
        return current;
    }

    private Outcome outcomeOf(Throwable e) {
        if (attempt != null) {
            return attempt.outcomeOf(e);
        }
        return new BatchFailures(plan.rows()).isContention(e)
                ? new Outcome.Contended(List.of(), e)
                : new Outcome.Ended(e);
    }
}
