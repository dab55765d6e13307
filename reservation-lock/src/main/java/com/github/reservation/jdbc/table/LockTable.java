// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The lock table in its database: gives each operation a connection of its own, never the caller's transaction.
 *
 * <p>A connection is used in autocommit. Whether it is, the driver knows without asking; only if it is not, it is switched
 * and switched back. The isolation level is left alone: every statement is right at every level.
 *
 * <p>At the first use it finds out which database it is, and that the table compares keys byte by byte. If the table has
 * no fence column it goes on without, and says so once.
 */
final class LockTable {

    private static final System.Logger LOG = System.getLogger("com.github.reservation");

    /** Equal to {@code a} for every collation that follows the rules of a language, however strictly. */
    private static final String IGNORED_BY_LANGUAGES = "a\u0001";

    /** What is done on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Session session) throws SQLException, StoreException;
    }

    /** What was found out at the first use. */
    private record Known(Dialect dialect, Statements statements, boolean fenced) {}

    private final JdbcSettings settings;
    private final int timeoutSeconds;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile @Nullable Known known;

    LockTable(JdbcSettings settings) {
        this.settings = settings;
        this.timeoutSeconds = (int) Math.max(1, settings.queryTimeout().toSeconds());
    }

    <T> T use(Work<T> work) throws StoreException {
        Connection connection = connect();
        try {
            return inAutoCommit(connection, work);
        } catch (SQLException e) {
            throw failure(e);
        } finally {
            close(connection);
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
            return work.on(session(connection, current));
        } catch (SQLException e) {
            if (!current.fenced || !current.dialect.isMissingColumn(e)) {
                throw e;
            }
            Known bare = new Known(current.dialect, statements(current.dialect, false), false);
            T result = work.on(session(connection, bare));
            useFromNowOn(bare);
            return result;
        }
    }

    private Known findOut(Connection connection) throws SQLException, StoreException {
        Dialect dialect = settings.dialect().isPresent() ? settings.dialect().get() : Dialects.of(connection);
        Known found = new Known(dialect, statements(dialect, true), true);
        try {
            if (takesDifferentForEqual(session(connection, found))) {
                throw new StoreException(
                        Kind.MISCONFIGURED,
                        "Table " + settings.table()
                                + " takes different keys for equal (upper and lower case, accents, blanks at the "
                                + "end, or characters that its character set lacks): give reservation_key and holder the collation of the DDL that"
                                + printCommand(dialect) + " prints");
            }
            requirePrimaryKey(connection, dialect);
        } catch (SQLException e) {
            throw failure(e, dialect);
        }
        known = found;
        return found;
    }

    private static boolean takesDifferentForEqual(Session session) throws SQLException {
        try (PreparedStatement check = session.prepare(session.statements().checkColumns)) {
            check.setString(1, IGNORED_BY_LANGUAGES);
            check.setString(2, IGNORED_BY_LANGUAGES);
            try (ResultSet row = check.executeQuery()) {
                row.next();
                return row.getLong(1) > 0;
            }
        }
    }

    /** Goes on without fences, now that it has worked; another column that is missing would not. */
    private void useFromNowOn(Known bare) {
        known = bare;
        if (!warned.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    "Table {0} has no column fence: locks work, but have no fencing tokens. The command{1} prints how to"
                            + " add it",
                    settings.table(),
                    printCommand(bare.dialect) + "-migration");
        }
    }

    /**
     * Without a unique key every insert succeeds, and two nodes could hold the same key. There may be tables of this name in
     * several schemas, and databases differ in what they call a schema: it is enough if one of them has the key.
     */
    private void requirePrimaryKey(Connection connection, Dialect dialect) throws SQLException, StoreException {
        String name = settings.table().withoutSchema();
        String catalog = settings.table().hasSchema() ? null : connection.getCatalog();
        Map<String, String> columns = new HashMap<>();
        Set<String> spellings =
                new HashSet<>(List.of(name, name.toUpperCase(Locale.ROOT), name.toLowerCase(Locale.ROOT)));
        for (String spelled : spellings) {
            try (ResultSet row = connection.getMetaData().getPrimaryKeys(catalog, null, spelled)) {
                while (row.next()) {
                    String table = row.getString("TABLE_CAT") + '.' + row.getString("TABLE_SCHEM") + '.' + spelled;
                    columns.merge(table, row.getString("COLUMN_NAME").toLowerCase(Locale.ROOT), String::concat);
                }
            }
        }
        if (columns.containsValue("reservation_key")) {
            return;
        }
        throw new StoreException(
                Kind.MISCONFIGURED,
                "Table " + settings.table() + " has no primary key on reservation_key alone, as the DDL that"
                        + printCommand(dialect) + " prints has: two nodes could hold the same key");
    }

    private Statements statements(Dialect dialect, boolean fenced) {
        return new Statements(dialect, settings.table(), fenced, settings.durableRelease());
    }

    private Session session(Connection connection, Known known) {
        return new Session(connection, known.dialect, known.statements, timeoutSeconds);
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
                ? ". Is table " + settings.table() + " there, as" + printCommand(dialect)
                        + " prints it, and may this user read and write it?"
                : "";
        return new StoreException(kind, "The database failed: " + e.getMessage() + hint, e);
    }

    private static String printCommand(Dialect dialect) {
        return " java -jar reservation-lock.jar ddl " + dialect.name();
    }

    /** The answer is known by now; a connection that cannot be switched back is the pool's to find out. */
    private static void switchBack(Connection connection) {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Could not switch autocommit off again", e);
        }
    }

    /**
     * Gives the connection back where no interrupt can come in between. HikariCP 7.1.0 hands it on to a waiter in a loop
     * that parks on virtual threads; with the interrupt flag up it spins instead, and as many such threads as there are
     * carriers keep the waiter from ever running.
     */
    private static void close(Connection connection) {
        if (!Thread.currentThread().isVirtual()) {
            closeHere(connection);
            return;
        }
        Thread closing = Thread.ofVirtual().name("reservation-close").start(() -> closeHere(connection));
        boolean interrupted = false;
        while (true) {
            try {
                closing.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeHere(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Could not close a connection", e);
        }
    }
}
