// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of a table that expire. A row is overdue if it has the status that can expire and its end is now or earlier, by the
 * clock of the database. Every method executes its statements on the given connection, in the caller's transaction.
 */
public interface ExpiringRows {

    /**
     * A row that was overdue when it was read.
     *
     * @param due the end of the row, as the driver returns it; only for {@link #find}
     */
    record Overdue(RowKey key, Object due) {}

    /**
     * The keys of overdue rows.
     *
     * @param last the last row, if there may be more
     */
    record Page(List<RowKey> keys, Optional<Overdue> last) {}

    /**
     * The rows that a transaction has locked.
     *
     * @param rows what the reader made of each row
     * @param unreadable the rows that the reader failed on
     * @param at the time of the database when it locked them
     */
    record Locked<T>(Map<RowKey, T> rows, Map<RowKey, Throwable> unreadable, Instant at) {}

    /** Reads one row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws Exception;
    }

    /** Reads the keys of overdue rows without locks, the oldest first, from the one after {@code last} on. */
    Page find(Connection connection, Optional<Overdue> last, int limit) throws StoreException;

    /** Reads rows that are still overdue, without locks. */
    <T> List<T> read(Connection connection, List<RowKey> keys, Reader<T> reader) throws Exception;

    /** Locks rows that are still overdue. Skips rows that another transaction has locked. */
    <T> Locked<T> lock(Connection connection, List<RowKey> keys, Reader<T> reader) throws StoreException;

    /** Gives locked rows the status of expired rows. */
    void transition(Connection connection, List<RowKey> keys) throws StoreException;

    /** Returns for how long the oldest overdue row has been overdue; zero if there is none. */
    Duration lag(Connection connection) throws StoreException;

    /** Returns what an error of a statement means that the caller sent. */
    Kind kindOf(SQLException e);
}
