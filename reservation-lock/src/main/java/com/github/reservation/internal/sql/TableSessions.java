// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens a session for each operation on one table. The session has a connection of its own, unless the caller passes one.
 *
 * <p>The connection is in autocommit. If it was not, it is switched, and switched back afterwards. The isolation level stays as
 * it is: every statement must be right at every level.
 *
 * <p>The first operation finds out which database it is, builds the statements for it and checks the table.
 *
 * @param <S> the statements of the table
 */
public final class TableSessions<S> {

    /**
     * Where the table is.
     *
     * @param dialect the database; empty to find it out from the first connection
     * @param queryTimeout how long one statement may take
     * @param ddl what the name of its DDL adds to that of the database
     */
    public record Table(
            DataSource dataSource, Optional<Dialect> dialect, TableName name, Duration queryTimeout, String ddl) {}

    /** Checks that the table is fit for its statements, with reads only. */
    @FunctionalInterface
    public interface Check<S> {
        void run(SqlSession session, S statements) throws SQLException, StoreException;
    }

    /** An operation. */
    @FunctionalInterface
    public interface Work<S, T> {
        T execute(SqlSession session, S statements) throws SQLException, StoreException;
    }

    /** What the first use found out. */
    private record Known<S>(Dialect dialect, S statements) {}

    private final Table table;
    private final Function<Dialect, S> statements;
    private final Check<S> check;
    private final StoreConnections connections;
    private volatile @Nullable Known<S> known;

    public TableSessions(Table table, Function<Dialect, S> statements, Check<S> check) {
        this.table = table;
        this.statements = statements;
        this.check = check;
        this.connections = new StoreConnections(table.dataSource(), () -> Optional.ofNullable(dialect()));
    }

    /** Runs an operation in a session of its own. */
    public <T> T use(Work<S, T> work) throws StoreException {
        return connections.use(connection -> useIn(connection, table.queryTimeout(), work));
    }

    /** Runs an operation in a session of its own, as one transaction. */
    public <T> T transact(Work<S, T> work) throws StoreException {
        return connections.transact(connection -> useIn(connection, table.queryTimeout(), work));
    }

    /** Returns what takes the connections of the sessions. */
    public StoreConnections connections() {
        return connections;
    }

    private @Nullable Dialect dialect() {
        Known<S> current = known;
        return current == null ? table.dialect().orElse(null) : current.dialect;
    }

    /**
     * Runs an operation inside the caller's transaction: the connection is neither switched to autocommit, nor committed, nor
     * closed.
     *
     * @param limit how long one statement may take, also while it waits for another transaction
     */
    public <T> T useIn(Connection connection, Duration limit, Work<S, T> work) throws StoreException {
        Known<S> current = known == null ? findOut(connection) : known;
        SqlSession session = new SqlSession(connection, current.dialect, limit);
        try (session) {
            return work.execute(session, current.statements);
        } catch (SQLException e) {
            throw failure(e, current.dialect, session.mayHaveSent());
        } catch (RuntimeException e) {
            if (session.mayHaveSent()) {
                throw e;
            }
            throw SqlFailures.nothingSent(e, current.dialect);
        }
    }

    /** Only reads: if it fails, the operation itself was not sent. */
    private Known<S> findOut(Connection connection) throws StoreException {
        try {
            Dialect dialect = table.dialect().isPresent() ? table.dialect().get() : Dialects.of(connection);
            Known<S> found = new Known<>(dialect, statements.apply(dialect));
            check(connection, found);
            known = found;
            return found;
        } catch (SQLException | RuntimeException e) {
            throw SqlFailures.nothingSent(e, dialect());
        }
    }

    private void check(Connection connection, Known<S> found) throws StoreException {
        try (SqlSession session = new SqlSession(connection, found.dialect, table.queryTimeout())) {
            check.run(session, found.statements);
        } catch (SQLException e) {
            throw failure(e, found.dialect, false);
        }
    }

    /** Says what a failure means. With {@code sent}, the database may have carried out the operation. */
    private StoreException failure(SQLException e, Dialect dialect, boolean sent) {
        Kind kind = SqlFailures.kindOf(e, dialect);
        if (kind == Kind.OUTCOME_UNKNOWN && !sent) {
            return SqlFailures.nothingSent(e, dialect);
        }
        String hint = kind == Kind.MISCONFIGURED
                ? ". " + dialect.remedyOf(e).orElseGet(() -> "Is table " + table.name() + " there, as "
                        + dialect.printCommand() + table.ddl() + " prints it, and may this user read and write it?")
                : "";
        return new StoreException(kind, "The database failed: " + e.getMessage() + hint, e);
    }
}
