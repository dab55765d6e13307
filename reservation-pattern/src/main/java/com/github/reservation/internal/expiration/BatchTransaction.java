// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.expiration.ExpiringRows.Locked;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Expires a batch in one transaction:
 *
 * <ol>
 *   <li>locks the rows that are still overdue; skips those that another transaction has locked
 *   <li>if it shall search, looks for the rows that fail, and leaves them out
 *   <li>changes the status of the rows, appends their events to an outbox if there is one, and runs the work
 *   <li>commits
 *   <li>publishes the events if there is no outbox
 * </ol>
 */
final class BatchTransaction<T> {

    private final ExpirationPlan<T> plan;
    private final List<RowKey> keys;
    private final Optional<CulpritSearch.Limits> limits;
    private @Nullable OpenBatch<T> batch;
    private @Nullable CulpritSearch<T> search;
    private @Nullable BatchAttempt<T> attempt;
    private boolean publisherFailed;

    BatchTransaction(ExpirationPlan<T> plan, List<RowKey> keys, Optional<CulpritSearch.Limits> limits) {
        this.plan = plan;
        this.keys = keys;
        this.limits = limits;
    }

    /** Runs the transaction. */
    Outcome run() {
        try {
            plan.transactor().inTransaction(this::expire);
        } catch (Throwable e) {
            return outcomeOf(e);
        }
        OpenBatch<T> open = Objects.requireNonNull(batch, "The transactor did not run the work");
        if (search != null && attempt == null) {
            return search.unfinished(open.locked());
        }
        open.events().forEach(this::publish);
        return new Outcome.Committed(open.accepted(), open.rejected());
    }

    /** A transactor may run this again after a failure of its own. */
    private OpenBatch<T> expire(Connection connection) throws Exception {
        batch = null;
        search = null;
        attempt = null;
        Locked<T> locked = plan.rows().lock(connection, keys, plan.reader()::read);
        OpenBatch<T> open = new OpenBatch<>(locked, plan.event());
        batch = open;
        if (limits.isPresent()) {
            search(connection, locked, open, limits.get());
        }
        if (search == null || search.isDone()) {
            long deadline = search == null ? plan.deadline() : search.deadline();
            BatchAttempt<T> current = new BatchAttempt<>(plan, connection, open, deadline);
            attempt = current;
            current.run();
            current.commits();
        }
        return open;
    }

    private void search(Connection connection, Locked<T> locked, OpenBatch<T> open, CulpritSearch.Limits until)
            throws Exception {
        CulpritSearch<T> current = new CulpritSearch<>(plan, connection, locked, until);
        search = current;
        current.run(open.accepted());
        open.exclude(current.culprits());
    }

    /** Returns how many rows the search has found that fail. */
    int culprits() {
        return search == null ? 0 : search.culprits().size();
    }

    private Outcome outcomeOf(Throwable e) {
        if (batch == null) {
            return new BatchFailures(plan.rows()).isContention(e)
                    ? new Outcome.Contended(List.of(), e)
                    : new Outcome.Ended(e);
        }
        if (attempt == null) {
            return Objects.requireNonNull(search).outcomeOf(e, batch.locked());
        }
        Outcome outcome = attempt.outcomeOf(e);
        boolean isAboutRows = outcome instanceof Outcome.Failed || outcome instanceof Outcome.Undecided;
        // After a search, the rows that are left are tried anew: they may have lacked time.
        return search != null && isAboutRows ? search.outcomeOf(e, batch.locked()) : outcome;
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
