// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.base.Log;
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
    private @Nullable OpenBatch<T> batch;
    private @Nullable BatchAttempt<T> attempt;
    private boolean publisherFailed;

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
        OpenBatch<T> open = Objects.requireNonNull(batch, "The transactor did not run the work");
        open.events().forEach(this::publish);
        return new Outcome.Committed(open.accepted(), open.rejected());
    }

    /** A transactor may run this again after a failure of its own. */
    private OpenBatch<T> expire(Connection connection) throws Exception {
        attempt = null;
        OpenBatch<T> open = new OpenBatch<>(plan.rows().lock(connection, keys, plan.reader()::read), plan.event());
        batch = open;
        BatchAttempt<T> current = new BatchAttempt<>(plan, connection, open);
        attempt = current;
        current.run();
        current.commits();
        return open;
    }

    private Outcome outcomeOf(Throwable e) {
        if (attempt != null) {
            return attempt.outcomeOf(e);
        }
        return new BatchFailures(plan.rows()).isContention(e)
                ? new Outcome.Contended(List.of(), e)
                : new Outcome.Ended(e);
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
