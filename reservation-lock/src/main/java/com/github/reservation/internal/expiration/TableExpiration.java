// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.internal.store.ExpiringRows.Overdue;
import com.github.reservation.internal.store.RowKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Expires the overdue rows of one table, page by page. A run sees each row once, so a row that fails does not stop it. */
public final class TableExpiration<T> {

    private final ExpirationPlan<T> plan;
    private final SetAside setAside;

    public TableExpiration(ExpirationPlan<T> plan) {
        this.plan = plan;
        this.setAside = new SetAside(plan.ticker());
    }

    /** Returns the name of the source. */
    public String name() {
        return plan.source();
    }

    /**
     * Expires all rows that are overdue.
     *
     * @throws Exception if the run cannot go on
     */
    public void run(ExpirationTally tally) throws Exception {
        setAside.beginRun();
        try {
            BatchRunner<T> batches = new BatchRunner<>(plan, setAside, tally);
            Optional<Overdue> last = Optional.empty();
            boolean more = true;
            while (more && !tally.isStopping()) {
                List<Overdue> page = find(last, plan.batchSize());
                List<RowKey> due = page.stream().map(Overdue::key).filter(key -> !setAside.isPaused(key)).toList();
                if (!due.isEmpty()) {
                    batches.run(due);
                }
                more = page.size() == plan.batchSize();
                last = page.isEmpty() ? last : Optional.of(page.getLast());
            }
            if (!more) {
                setAside.endRun();
            }
        } finally {
            tally.setAside(setAside.size());
        }
    }

    private List<Overdue> find(Optional<Overdue> last, int limit) throws Exception {
        return plan.transactor().inTransaction(connection -> plan.rows().find(connection, last, limit));
    }

    /** Returns the rows that have been overdue longest. */
    public List<T> findOverdue(int limit) throws Exception {
        List<RowKey> keys = find(Optional.empty(), limit).stream().map(Overdue::key).toList();
        return keys.isEmpty()
                ? List.of()
                : plan.transactor()
                        .inTransaction(connection -> plan.rows().read(connection, keys, plan.reader()::read));
    }

    /** Returns for how long the oldest overdue row has been overdue. */
    public Duration lag() throws Exception {
        return plan.transactor().inTransaction(connection -> plan.rows().lag(connection));
    }
}
