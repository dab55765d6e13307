// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A connection for one operation. Every statement on it has a time limit. */
public final class SqlSession implements AutoCloseable {

    /** A driver that cancels a statement itself gets this time to do so. */
    private static final Duration HEAD_START = Duration.ofSeconds(1);

    /** What an execution adds to the limit of its batch. */
    private static final Duration EACH_OF_A_BATCH = Duration.ofMillis(20);

    private final Connection connection;
    private final Dialect dialect;
    private Duration limit;
    private final StatementWatch.@Nullable Watched watched;
    private boolean mayHaveSent;

    public SqlSession(Connection connection, Dialect dialect, Duration queryTimeout) {
        this.connection = connection;
        this.dialect = dialect;
        this.limit = queryTimeout;
        this.watched =
                dialect.timeLimit() == Dialect.TimeLimit.NONE ? null : StatementWatch.SHARED.new Watched(connection);
    }

    /** Gives each statement that follows at most this time, if it had more. */
    public void limitTo(Duration shorter) {
        limit = shorter.compareTo(limit) < 0 ? shorter : limit;
    }

    public Connection connection() {
        return connection;
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Returns whether a statement may have reached the database. */
    boolean mayHaveSent() {
        return mayHaveSent;
    }

    /** Prepares a statement. Its time limit begins now, so the caller executes it at once. */
    public PreparedStatement prepare(SqlStatement sql) throws SQLException {
        return limited(connection.prepareStatement(sql.text()), Duration.ZERO);
    }

    /** Prepares a statement that is executed so many times, as a batch: in autocommit, each execution has its commit. */
    public PreparedStatement prepareBatch(SqlStatement sql, int size) throws SQLException {
        return limited(connection.prepareStatement(sql.text()), EACH_OF_A_BATCH.multipliedBy(size));
    }

    /** Returns a text of each item as an array. Of strings: PostgreSQL's driver sends those as bytes, and does not have to quote them. */
    public <T> Array textsOf(List<T> items, Function<T, String> text) throws SQLException {
        return connection.createArrayOf("text", items.stream().map(text).toArray(String[]::new));
    }

    /** Reads one row of a result. */
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Executes a statement that returns rows; returns what the reader makes of them. */
    public <T> List<T> query(SqlStatement sql, Params params, RowReader<T> reader) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            sql.bind(statement, params);
            try (ResultSet row = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (row.next()) {
                    rows.add(reader.read(row));
                }
                return rows;
            }
        }
    }

    /** Executes a statement with a list, once for each part of the list; returns what the reader makes of the rows. */
    public <T> List<T> query(SqlList sql, Params params, RowReader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        for (Params part : sql.parts(params)) {
            rows.addAll(query(sql.forSizeOf(part), part, reader));
        }
        return rows;
    }

    /** Executes a statement that returns a row or none; returns what the reader makes of it. */
    public <T> Optional<T> queryOne(SqlStatement sql, Params params, RowReader<T> reader) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            sql.bind(statement, params);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(reader.read(row)) : Optional.empty();
            }
        }
    }

    /**
     * Executes a statement that changes one row or none, and returns columns: as a row if the database can, else as generated keys.
     * Returns what the reader makes of them; empty if it changed no row.
     */
    public <T> Optional<T> updateReturning(
            SqlStatement sql, Params params, RowReader<T> reader, String... columns) throws SQLException {
        if (dialect.hasReturning()) {
            return queryOne(sql, params, reader);
        }
        try (PreparedStatement statement =
                limited(connection.prepareStatement(sql.text(), columns), Duration.ZERO)) {
            sql.bind(statement, params);
            if (statement.executeUpdate() == 0) {
                return Optional.empty();
            }
            try (ResultSet keys = statement.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new SQLException("The driver did not return what the statement has set");
                }
                return Optional.of(reader.read(keys));
            }
        }
    }

    /** Executes a statement; returns whether it changed a row. */
    public boolean execute(SqlStatement sql, Params params) throws SQLException {
        return update(sql, params) > 0;
    }

    /** Executes a statement; returns how many rows it changed. One with {@code RETURNING} returns each row that it changed. */
    public int update(SqlStatement sql, Params params) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            sql.bind(statement, params);
            if (!statement.execute()) {
                return statement.getUpdateCount();
            }
            int changed = 0;
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    changed++;
                }
            }
            return changed;
        }
    }

    /** Executes a statement with a list, once for each part of the list; returns how many rows it changed. */
    public int update(SqlList sql, Params params) throws SQLException {
        int changed = 0;
        for (Params part : sql.parts(params)) {
            changed += update(sql.forSizeOf(part), part);
        }
        return changed;
    }

    /** Executes a statement for each of the items, as a batch; returns the counts. */
    public <T> int[] updateEach(SqlStatement sql, List<T> items, Function<T, Params> params) throws SQLException {
        try (PreparedStatement statement = prepareBatch(sql, items.size())) {
            for (T item : items) {
                sql.bind(statement, params.apply(item));
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }

    /** Executes a statement without parameters, of a kind that not every database can prepare. */
    public void command(SqlStatement sql) throws SQLException {
        try (Statement statement = limited(connection.createStatement(), Duration.ZERO)) {
            statement.execute(sql.text());
        }
    }

    private <S extends Statement> S limited(S statement, Duration more) throws SQLException {
        boolean byDriver = dialect.timeLimit() == Dialect.TimeLimit.DRIVER;
        if (byDriver) {
            statement.setQueryTimeout((int) limit.toSeconds());
        }
        if (watched != null) {
            watched.start(statement, limit.plus(more).plus(byDriver ? HEAD_START : Duration.ZERO));
        }
        mayHaveSent = true;
        return statement;
    }

    /**
     * Ends the time limit. The connection stays open.
     *
     * @throws SQLException if the connection was aborted meanwhile, even if its last statement has answered
     */
    @Override
    public void close() throws SQLException {
        if (watched != null) {
            watched.close();
            if (watched.isAborted()) {
                failAsAborted();
            }
        }
    }

    /** Uses the connection once more: a pool drops it only when one of its methods fails. */
    private void failAsAborted() throws SQLException {
        try (Statement last = connection.createStatement()) {
            last.execute("SELECT 1");
        }
        throw new SQLException("The connection was aborted, because a statement took too long", "08006");
    }
}
