// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.internal.base.Limits;
import com.github.reservation.internal.expiration.TableExpiration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Expires rows of a table of yours: those that have a certain status and whose end is now or earlier, by the clock of the database.
 * They get another status, and your {@link BatchWork} runs in the same transaction.
 *
 * {@snippet file="com/github/reservation/demo/PickupOrders.java" region="source"}
 *
 * <p>It works on PostgreSQL, MariaDB 10.6 or newer, MySQL 8 or newer, Oracle and H2. It reads the keys of overdue rows without locks,
 * locks a batch with {@code FOR UPDATE SKIP LOCKED}, and checks status and end again. So several instances share the rows, a row
 * that a transaction of the application has locked is left for the next run, and no row expires twice.
 *
 * <p>A source is thread-safe.
 *
 * @param <T> what the {@link RowReader} makes of a row
 */
public final class TableExpirationSource<T> implements ExpirationSource {

    private final TableExpiration<T> table;
    private final Duration interval;

    TableExpirationSource(TableExpiration<T> table, Duration interval) {
        this.table = table;
        this.interval = interval;
    }

    /**
     * Returns a builder.
     *
     * @param name the name of the source in results, meters and the log
     * @param reader reads the rows for the work and the events
     * @throws IllegalArgumentException if the name has other characters than letters, digits and {@code _ . -}, or not between 1 and 64
     */
    public static <T> TableExpirationSourceBuilder<T> builder(String name, RowReader<T> reader) {
        return new TableExpirationSourceBuilder<>(name, reader);
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public Duration interval() {
        return interval;
    }

    /**
     * Expires all overdue rows in batches, one transaction for each. It blocks until none is left. If the process ends, the batch
     * under way is rolled back and the rows stay overdue.
     *
     * @throws Exception if the database cannot be reached, if the table does not fit, or if the work tries to end its transaction;
     *     the batches before it are committed
     */
    @Override
    public void expire(ExpirationTally tally) throws Exception {
        table.run(Objects.requireNonNull(tally, "tally must not be null"));
    }

    @Override
    public Duration lag() throws Exception {
        return table.lag();
    }

    /**
     * Returns the rows that are overdue and not expired yet, without locks: those that failed, those that a transaction has locked,
     * and those that became overdue since the last run.
     *
     * @param limit how many rows at most, the oldest ones, between 1 and 5,000
     * @throws Exception if the database does not answer, or what the reader threw
     */
    public List<T> findOverdue(int limit) throws Exception {
        return table.findOverdue(
                Limits.between("limit", limit, 1, TableExpirationSourceBuilder.LARGEST_BATCH));
    }
}
