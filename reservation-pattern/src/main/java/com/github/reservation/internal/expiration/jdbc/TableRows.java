// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.expiration.RowReader;
import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlFailures;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table that expire. A row is overdue if it has the status that can expire and its end is now or earlier, by the
 * clock of the database. Every method executes its statements on the given connection, in the caller's transaction.
 *
 * <p>The first operation finds out which database it is, and checks the table.
 */
public final class TableRows {

    /**
     * A row that was overdue when it was read.
     *
     * @param due the end of the row, as the driver returns it; only for {@link #find}
     */
    public record Overdue(RowKey key, Object due) {}

    /**
     * The keys of overdue rows.
     *
     * @param last the last row, if there may be more
     */
    public record Page(List<RowKey> keys, Optional<Overdue> last) {}

    /**
     * The rows that a transaction has locked.
     *
     * @param rows what the reader made of each row
     * @param unreadable the rows that the reader failed on
     * @param at the time of the database when it locked them
     */
    public record Locked<T>(Map<RowKey, T> rows, Map<RowKey, Throwable> unreadable, Instant at) {}

    /** An operation. */
    @FunctionalInterface
    private interface Work<R> {
        R execute(SqlSession session, Known known) throws SQLException, StoreException;
    }

    /** Takes one row of a result. */
    @FunctionalInterface
    private interface RowConsumer {
        void accept(ResultSet row) throws SQLException;
    }

    /** What the first use found out. */
    private record Known(Dialect dialect, TableClock clock, ExpirationStatements statements) {}

    private final ExpiringTable table;
    private volatile @Nullable Known known;

    public TableRows(ExpiringTable table) {
        this.table = table;
    }

    /**
     * Reads the keys of overdue rows without locks, the oldest first, from the one after {@code last} on. The end of that row was read
     * from the database, so no other clock takes part in the comparison.
     */
    public Page find(Connection connection, Optional<Overdue> last, int limit) throws StoreException {
        return use(connection, (session, here) -> {
            SqlStatement find = last.isPresent() ? here.statements.findNext : here.statements.findFirst;
            Params params = last.map(row -> KeyColumns.paramsOf(row.key()).and("due", row.due()))
                    .orElse(Params.NONE)
                    .and("limit", limit);
            int due = table.keys().size() + 1;
            List<RowKey> found = new ArrayList<>();
            AtomicReference<@Nullable Overdue> end = new AtomicReference<>();
            query(session, find, params, limit, row -> {
                found.add(key(row));
                if (found.size() == limit) {
                    end.set(new Overdue(found.getLast(), row.getObject(due, here.clock.javaType())));
                }
            });
            return new Page(found, Optional.ofNullable(end.get()));
        });
    }

    /** Passes each row on. Oracle fetches ten rows at a time unless it is told how many there are, and locks what it fetches. */
    private static void query(
            SqlSession session, SqlStatement sql, Params params, int rows, RowConsumer consumer)
            throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, params);
            statement.setFetchSize(rows + 1);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    consumer.accept(row);
                }
            }
        }
    }

    /** By the position of the key columns, which come first. */
    private RowKey key(ResultSet row) throws SQLException {
        List<Object> values = new ArrayList<>();
        for (int i = 1; i <= table.keys().size(); i++) {
            values.add(row.getObject(i));
        }
        return new RowKey(values);
    }

    /** Reads rows that are still overdue, without locks. */
    public <T> List<T> read(Connection connection, List<RowKey> keys, RowReader<T> reader) throws Exception {
        Locked<T> read = select(connection, keys, reader, false);
        Optional<Throwable> failure = read.unreadable().values().stream().findFirst();
        if (failure.isPresent()) {
            throw Errors.asException(failure.get());
        }
        return List.copyOf(read.rows().values());
    }

    /** Locks rows that are still overdue. Skips rows that another transaction has locked. */
    public <T> Locked<T> lock(Connection connection, List<RowKey> keys, RowReader<T> reader) throws StoreException {
        return select(connection, keys, reader, true);
    }

    private <T> Locked<T> select(Connection connection, List<RowKey> keys, RowReader<T> reader, boolean locking)
            throws StoreException {
        return use(connection, (session, here) -> {
            Map<RowKey, T> rows = new LinkedHashMap<>();
            Map<RowKey, Throwable> unreadable = new LinkedHashMap<>();
            AtomicLong micros = new AtomicLong();
            SqlList select = locking ? here.statements.lock : here.statements.read;
            for (Params some : select.parts(KeyColumns.paramsOf(keys))) {
                query(session, select.forSizeOf(some), some, Math.min(keys.size(), SqlList.LONGEST), row -> {
                    micros.set(row.getLong(1));
                    read(row, reader, rows, unreadable);
                });
            }
            return new Locked<>(rows, unreadable, Instant.EPOCH.plus(micros.get(), ChronoUnit.MICROS));
        });
    }

    private <T> void read(ResultSet row, RowReader<T> reader, Map<RowKey, T> rows, Map<RowKey, Throwable> unreadable)
            throws SQLException {
        List<Object> values = new ArrayList<>();
        for (String column : table.keys()) {
            values.add(row.getObject(column));
        }
        RowKey key = new RowKey(values);
        try {
            rows.put(key, Objects.requireNonNull(reader.read(row), "The reader returned null for row " + key));
        } catch (Throwable e) {
            Errors.throwIfOfTheJvm(e);
            unreadable.put(key, e);
        }
    }

    /** Gives locked rows the status of expired rows. */
    public void transition(Connection connection, List<RowKey> keys) throws StoreException {
        use(connection, (session, here) -> {
            int changed = session.update(here.statements.transition, KeyColumns.paramsOf(keys));
            requireAll(keys.size(), changed);
            return changed;
        });
    }

    /** Fewer rows than keys can be the fault of one row. */
    private void requireAll(int keys, int changed) throws StoreException {
        String what = "Table " + table.name() + " changed the status of " + changed + " rows for " + keys + " keys. ";
        if (changed > keys) {
            throw new StoreException(
                    Kind.MISCONFIGURED, what + "Are the key columns " + table.keys() + " its primary key?");
        }
        if (changed < keys) {
            throw new StoreException(Kind.OUTCOME_UNKNOWN, what + "Does a trigger prevent the change?");
        }
    }

    /** Marks a transaction in which rows were changed. */
    public void mark(Connection connection) throws StoreException {
        command(connection, statements -> statements.mark);
    }

    /** Throws if this is another transaction than the marked one. Where the database lets no statement into another one, it does nothing. */
    public void requireMark(Connection connection) throws StoreException {
        command(connection, statements -> statements.checkMark);
    }

    private void command(Connection connection, Function<ExpirationStatements, Optional<SqlStatement>> command)
            throws StoreException {
        use(connection, (session, here) -> {
            Optional<SqlStatement> sql = command.apply(here.statements);
            if (sql.isPresent()) {
                session.command(sql.get());
            }
            return sql;
        });
    }

    /** Returns for how long the oldest overdue row has been overdue; zero if there is none. */
    public Duration lag(Connection connection) throws StoreException {
        return use(connection, (session, here) -> session.query(
                here.statements.lag, Params.NONE, row -> SqlValues.duration(row, "overdue_micros")))
                .getFirst();
    }

    /** Returns what an error of a statement means that the caller sent. */
    public Kind kindOf(SQLException e) {
        Known current = known;
        return current == null || current.dialect.isLockTimeout(e)
                ? Kind.OUTCOME_UNKNOWN
                : SqlFailures.kindOf(e, current.dialect);
    }

    private <R> R use(Connection connection, Work<R> work) throws StoreException {
        Known current = known == null ? findOut(connection) : known;
        try (SqlSession session = new SqlSession(connection, current.dialect, table.queryTimeout())) {
            return work.execute(session, current);
        } catch (SQLException e) {
            throw failure(e, current.dialect);
        }
    }

    private Known findOut(Connection connection) throws StoreException {
        Dialect dialect = dialectOf(connection);
        SqlStatement check = ExpirationStatements.check(table);
        try (SqlSession session = new SqlSession(connection, dialect, table.queryTimeout());
                PreparedStatement statement = session.prepare(check);
                ResultSet none = statement.executeQuery()) {
            TableClock clock = TableClock.of(dialect, table.expiresAt(), none.getMetaData().getColumnTypeName(1));
            Known found = new Known(dialect, clock, new ExpirationStatements(clock, table));
            known = found;
            return found;
        } catch (SQLException e) {
            throw failure(e, dialect);
        }
    }

    private static Dialect dialectOf(Connection connection) throws StoreException {
        try {
            return Dialects.of(connection);
        } catch (SQLException e) {
            throw new StoreException(Kind.UNAVAILABLE, "The connection does not say to which database: " + e, e);
        }
    }

    private StoreException failure(SQLException e, Dialect dialect) {
        return SqlFailures.of(e, dialect, "The database failed on table " + table.name(), () -> "Does table "
                + table.name() + " have the columns " + table.needed() + ", and may this user read and update it?");
    }
}
