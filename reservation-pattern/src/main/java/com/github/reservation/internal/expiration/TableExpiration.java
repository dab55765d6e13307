// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.internal.expiration.jdbc.RowKey;
import com.github.reservation.internal.expiration.jdbc.TableRows.Overdue;
import com.github.reservation.internal.expiration.jdbc.TableRows.Page;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Expires the overdue rows of one table, page by page. A run sees each row once, so a row that fails does not stop it. */
public final class TableExpiration<T> {

    /** How many batches a page has. Keys are read without locks, so several batches of them make no other transaction wait. */
    private static final int BATCHES = 10;

    private static final int LARGEST_PAGE = 5_000;

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
     * Expires all rows that are overdue. Rows that failed in an earlier run come last, in batches of their own: if they fail or block
     * again, they delay no other row.
     *
     * @throws Exception if the run cannot go on
     */
    public void run(ExpirationTally tally) throws Exception {
        setAside.beginRun();
        try {
            int pageSize = Math.min(LARGEST_PAGE, BATCHES * plan.batchSize());
            BatchRunner<T> batches = new BatchRunner<>(plan, setAside, tally);
            List<RowKey> failedBefore = new ArrayList<>();
            Optional<Overdue> last = Optional.empty();
            boolean more = true;
            while (more && !tally.isStopping()) {
                Page page = find(last, pageSize);
                List<RowKey> due = page.keys().stream().filter(key -> !setAside.isPaused(key)).toList();
                due.stream().filter(setAside::hasFailed).forEach(failedBefore::add);
                expire(due.stream().filter(key -> !setAside.hasFailed(key)).toList(), batches, tally);
                last = page.last();
                more = last.isPresent();
            }
            expire(failedBefore, batches, tally);
            if (!more) {
                setAside.endRun();
            }
        } finally {
            tally.setAside(setAside.size());
        }
    }

    private void expire(List<RowKey> due, BatchRunner<T> batches, ExpirationTally tally) throws Exception {
        for (int from = 0; from < due.size() && !tally.isStopping(); from += plan.batchSize()) {
            batches.run(due.subList(from, Math.min(due.size(), from + plan.batchSize())));
        }
    }

    private Page find(Optional<Overdue> last, int limit) throws Exception {
        return plan.transactor().inTransaction(connection -> plan.rows().find(connection, last, limit));
    }

    /** Returns the rows that have been overdue longest. */
    public List<T> findOverdue(int limit) throws Exception {
        List<RowKey> keys = find(Optional.empty(), limit).keys();
        return keys.isEmpty()
                ? List.of()
                : plan.transactor()
                        .inTransaction(connection -> plan.rows().read(connection, keys, plan.reader()));
    }

    /** Returns for how long the oldest overdue row has been overdue. */
    public Duration lag() throws Exception {
        return plan.transactor().inTransaction(connection -> plan.rows().lag(connection));
    }
}
