// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lock table in its database: gives each operation a connection of its own, never the caller's transaction.
 *
 * <p>A connection is used in autocommit; if it is not, it is switched and switched back. The isolation level is left alone:
 * every statement is right at every level.
 *
 * <p>At the first use it finds out which database it is, and has the table checked.
 */
final class TableSessions {

    /** What is done on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(SqlSession session) throws SQLException, StoreException;
    }

    /** What was found out at the first use. */
    private record Known(Dialect dialect, LockStatements statements) {}

    private final JdbcSettings settings;
    private final boolean calls;
    private volatile @Nullable Known known;

    /** Makes one; with {@code calls}, whoever gives a key back calls the first in line where the database can. */
    TableSessions(JdbcSettings settings, boolean calls) {
        this.calls = calls;
        this.settings = settings;
    }

    <T> T use(Work<T> work) throws StoreException {
        Connection connection = connect();
        try {
            boolean switched = AutoCommit.switchOn(connection, dialect());
            try {
                return done(connection, work);
            } finally {
                if (switched) {
                    AutoCommit.switchBack(connection);
                }
            }
        } finally {
            ConnectionCloser.close(connection);
        }
    }

    private @Nullable Dialect dialect() {
        Known current = known;
        return current == null ? settings.dialect().orElse(null) : current.dialect;
    }

    private Connection connect() throws StoreException {
        try {
            return settings.dataSource().getConnection();
        } catch (SQLException e) {
            throw noConnection(e, e);
        } catch (RuntimeException e) {
            // HikariCP, when the first connection of a pool fails: nothing was asked, so nothing is in doubt.
            throw noConnection(e, e.getCause() instanceof SQLException cause ? cause : new SQLException(e));
        }
    }

    private static StoreException noConnection(Exception e, SQLException reason) {
        return new StoreException(
                SqlFailures.kindOfConnecting(reason), "No connection to the database: " + e.getMessage(), e);
    }

    private <T> T done(Connection connection, Work<T> work) throws StoreException {
        Known current = known == null ? findOut(connection) : known;
        SqlSession session = session(connection, current);
        try (session) {
            return work.on(session);
        } catch (SQLException e) {
            throw failure(e, current.dialect, session.hasAsked());
        } catch (RuntimeException e) {
            if (session.hasAsked()) {
                throw e;
            }
            throw SqlFailures.nothingAsked(e, current.dialect);
        }
    }

    /** Only reads: whatever fails here, the operation itself was not asked for. */
    private Known findOut(Connection connection) throws StoreException {
        try {
            Dialect dialect =
                    settings.dialect().isPresent() ? settings.dialect().get() : Dialects.of(connection);
            Known found =
                    new Known(dialect, new LockStatements(dialect, settings.table(), settings.durableRelease(), calls));
            check(connection, found);
            known = found;
            return found;
        } catch (SQLException | RuntimeException e) {
            throw SqlFailures.nothingAsked(e, dialect());
        }
    }

    private void check(Connection connection, Known found) throws StoreException {
        try (SqlSession session = session(connection, found)) {
            new TableCheck(session, settings.table()).run();
        } catch (SQLException e) {
            throw failure(e, found.dialect, false);
        }
    }

    private SqlSession session(Connection connection, Known known) {
        return new SqlSession(connection, known.dialect, known.statements, settings.queryTimeout());
    }

    /** Says what a failure means; with {@code asked}, the operation itself may have been carried out. */
    private StoreException failure(SQLException e, Dialect dialect, boolean asked) {
        Kind kind = SqlFailures.kindOf(e, dialect);
        if (kind == Kind.OUTCOME_UNKNOWN && !asked) {
            return SqlFailures.nothingAsked(e, dialect);
        }
        String hint = kind == Kind.MISCONFIGURED
                ? ". Is table " + settings.table() + " there, as " + dialect.printCommand()
                        + " prints it, and may this user read and write it?"
                : "";
        return new StoreException(kind, "The database failed: " + e.getMessage() + hint, e);
    }
}
