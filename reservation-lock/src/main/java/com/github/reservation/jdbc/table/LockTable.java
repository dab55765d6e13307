// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The lock table in its database: gives each operation a connection of its own, never the caller's transaction.
 *
 * <p>A connection is used in autocommit. Whether it is, the driver knows without asking; only if it is not, it is switched
 * and switched back. The isolation level is left alone: every statement is right at every level.
 *
 * <p>At the first use it finds out which database it is, and has the table checked. If the table has only the four
 * columns that a lock needs it goes on with those, and says so once.
 */
final class LockTable {

    /** What is done on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Session session) throws SQLException, StoreException;
    }

    /** What was found out at the first use. */
    private record Known(Dialect dialect, Statements statements, boolean full) {}

    private final JdbcSettings settings;
    private final boolean calls;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile @Nullable Known known;

    /** Makes one; with {@code calls}, whoever gives a key back calls the first in line where the database can. */
    LockTable(JdbcSettings settings, boolean calls) {
        this.calls = calls;
        this.settings = settings;
    }

    <T> T use(Work<T> work) throws StoreException {
        Connection connection = connect();
        try {
            return inAutoCommit(connection, work);
        } catch (SQLException e) {
            throw failure(e);
        } finally {
            GivingBack.close(connection);
        }
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

    private <T> T inAutoCommit(Connection connection, Work<T> work) throws SQLException, StoreException {
        if (connection.getAutoCommit()) {
            return done(connection, work);
        }
        connection.setAutoCommit(true);
        try {
            return done(connection, work);
        } finally {
            switchBack(connection);
        }
    }

    private <T> T done(Connection connection, Work<T> work) throws SQLException, StoreException {
        Known current = known == null ? findOut(connection) : known;
        try {
            return done(connection, current, work);
        } catch (SQLException e) {
            if (!current.full || !current.dialect.isMissingColumn(e)) {
                throw e;
            }
            Known bare = new Known(current.dialect, statements(current.dialect, false), false);
            T result = done(connection, bare, work);
            useFromNowOn(bare);
            return result;
        }
    }

    private <T> T done(Connection connection, Known current, Work<T> work) throws SQLException, StoreException {
        try (Session session = session(connection, current)) {
            return work.on(session);
        }
    }

    private Known findOut(Connection connection) throws SQLException, StoreException {
        Dialect dialect = settings.dialect().isPresent() ? settings.dialect().get() : Dialects.of(connection);
        Known found = new Known(dialect, statements(dialect, true), true);
        try (Session session = session(connection, found)) {
            new TableCheck(session, settings.table()).run();
        } catch (SQLException e) {
            throw failure(e, dialect);
        }
        known = found;
        return found;
    }

    /** Goes on without the columns, now that it has worked; another column that is missing would not. */
    private void useFromNowOn(Known bare) {
        known = bare;
        if (!warned.getAndSet(true)) {
            Log.warn(
                    "Table " + settings.table()
                            + " lacks fence, waiters or reserved_until: locks work, but have no fencing tokens, and nodes take"
                            + " no turns. The command "
                            + bare.dialect.printCommand() + "-migration prints how to add them",
                    null);
        }
    }

    private Statements statements(Dialect dialect, boolean full) {
        return new Statements(dialect, settings.table(), full, settings.durableRelease(), calls);
    }

    private Session session(Connection connection, Known known) {
        return new Session(connection, known.dialect, known.statements, settings.queryTimeout());
    }

    private StoreException failure(SQLException e) {
        Known current = known;
        return current == null
                ? new StoreException(Kind.OUTCOME_UNKNOWN, "The database failed: " + e.getMessage(), e)
                : failure(e, current.dialect);
    }

    private StoreException failure(SQLException e, Dialect dialect) {
        Kind kind = SqlFailures.kindOf(e, dialect);
        String hint = kind == Kind.MISCONFIGURED
                ? ". Is table " + settings.table() + " there, as " + dialect.printCommand()
                        + " prints it, and may this user read and write it?"
                : "";
        return new StoreException(kind, "The database failed: " + e.getMessage() + hint, e);
    }

    /** The answer is known by now; a connection that cannot be switched back is the pool's to find out. */
    private static void switchBack(Connection connection) {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            Log.debug("Could not switch autocommit off again", e);
        }
    }
}
