// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.Acquisition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection for one operation, and how to talk on it. Closed before the connection is given back. */
final class SqlSession implements AutoCloseable {

    private static final String[] FENCE = {"FENCE"};

    private final Connection connection;
    private final Dialect dialect;
    private final LockStatements statements;
    private final Duration queryTimeout;
    private final StatementWatch.@Nullable Watched watched;
    private boolean hasAsked;

    SqlSession(Connection connection, Dialect dialect, LockStatements statements, Duration queryTimeout) {
        this.connection = connection;
        this.dialect = dialect;
        this.statements = statements;
        this.queryTimeout = queryTimeout;
        this.watched = dialect.limit() == Dialect.Limit.OURS ? StatementWatch.SHARED.new Watched(queryTimeout) : null;
    }

    Connection connection() {
        return connection;
    }

    Dialect dialect() {
        return dialect;
    }

    LockStatements statements() {
        return statements;
    }

    /** Returns whether anything may have been sent to the database: what is prepared is executed at once. */
    boolean hasAsked() {
        return hasAsked;
    }

    PreparedStatement prepare(SqlStatement sql) throws SQLException {
        return limited(connection.prepareStatement(sql.text()));
    }

    /** Prepares a statement that tells the fence as its generated key. */
    private PreparedStatement prepareWithFence(SqlStatement sql) throws SQLException {
        return limited(connection.prepareStatement(sql.text(), FENCE));
    }

    /** Runs an update that grants a key, and tells its fence; empty if it did not. */
    Optional<Acquisition.Granted> grant(SqlStatement sql, SqlStatement.Values values) throws SQLException {
        try (PreparedStatement statement = dialect.hasReturning() ? prepare(sql) : prepareWithFence(sql)) {
            sql.bind(statement, values);
            if (statement.execute()) {
                try (ResultSet row = statement.getResultSet()) {
                    return row.next() ? Optional.of(new Acquisition.Granted(SqlValues.fence(row))) : Optional.empty();
                }
            }
            return statement.getUpdateCount() > 0
                    ? Optional.of(new Acquisition.Granted(SqlValues.generatedFence(statement)))
                    : Optional.empty();
        }
    }

    /** Returns whether the statement had an effect. One that returns rows has one for each that it changed. */
    boolean execute(SqlStatement sql, SqlStatement.Values values) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            sql.bind(statement, values);
            if (!statement.execute()) {
                return statement.getUpdateCount() > 0;
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next();
            }
        }
    }

    /** Starts the clock: what is prepared is executed at once. */
    private PreparedStatement limited(PreparedStatement statement) throws SQLException {
        if (watched != null) {
            watched.start(statement);
        } else if (dialect.limit() == Dialect.Limit.DRIVERS) {
            statement.setQueryTimeout((int) queryTimeout.toSeconds());
        }
        hasAsked = true;
        return statement;
    }

    @Override
    public void close() {
        if (watched != null) {
            watched.close();
        }
    }
}
