// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Opens a session for each operation on one table: on a connection of its own in autocommit, in a transaction of its own, or in the
 * transaction of the caller.
 *
 * <p>A connection that is not in autocommit is switched, and switched back afterwards. The isolation level stays as it is, but for a
 * transaction of its own: every statement must be right at every level.
 *
 * <p>The first operation finds out which database it is, builds the statements for it and checks the table.
 *
 * @param <S> the statements of the table
 */
public final class TableSessions<S> {

    /** Builds the statements for the database of a session, and checks with reads only that the table is fit for them. */
    @FunctionalInterface
    public interface Setup<S> {
        S prepare(SqlSession session) throws SQLException, StoreException;
    }

    /** An operation. */
    @FunctionalInterface
    public interface Work<S, T> {
        T execute(SqlSession session, S statements) throws SQLException, StoreException;
    }

    /** What the first use found out. */
    private record Known<S>(Dialect dialect, S statements) {}

    private final SqlTable table;
    private final Setup<S> setup;
    private final Transactions transactions;
    /** The first answer stays, also if the table changes while several threads find out. */
    private final AtomicReference<@Nullable Known<S>> known = new AtomicReference<>();

    public TableSessions(SqlTable table, Setup<S> setup) {
        this.table = table;
        this.setup = setup;
        this.transactions = new Transactions(table.dataSource());
    }

    /** Runs an operation in autocommit. It does by itself what {@link #join} does, to spare each lock a call. */
    public <T> T use(Work<S, T> work) throws StoreException {
        Connection connection = Connections.open(table.dataSource());
        boolean switched = false;
        try {
            switched = Connections.switchToAutoCommit(connection, dialect());
            Known<S> current = known(connection);
            SqlSession session = new SqlSession(connection, current.dialect, table.queryTimeout());
            try (session) {
                return work.execute(session, current.statements);
            } catch (SQLException | RuntimeException e) {
                throw failure(e, session);
            }
        } finally {
            Connections.close(connection, switched);
        }
    }

    /**
     * Runs an operation as one transaction, at READ COMMITTED. Until the commit is sent, nothing is done: a failure before it is
     * never {@code OUTCOME_UNKNOWN}.
     */
    public <T> T transact(Work<S, T> work) throws StoreException {
        Connection connection = Connections.open(table.dataSource());
        boolean switched = false;
        AtomicBoolean commits = new AtomicBoolean();
        try {
            switched = Connections.switchToAutoCommit(connection, dialect());
            return transactions.runOn(connection, begun -> {
                T result = join(begun, table.queryTimeout(), work);
                commits.set(true);
                return result;
            });
        } catch (Exception e) {
            throw commits.get() ? notCommitted(e) : notDone(e);
        } finally {
            Connections.close(connection, switched);
        }
    }

    private StoreException notCommitted(Exception e) {
        Kind kind = e instanceof SQLException sql ? SqlFailures.kindOf(sql, dialect()) : Kind.OUTCOME_UNKNOWN;
        return new StoreException(kind, "The commit failed: " + e.getMessage(), e);
    }

    private StoreException notDone(Exception e) {
        return switch (e) {
            case StoreException failure when failure.kind() == Kind.OUTCOME_UNKNOWN ->
                new StoreException(Kind.CONTENTION, "The transaction was not committed: " + e.getMessage(), e);
            case StoreException failure -> failure;
            case SQLException sql -> SqlFailures.nothingSent(sql, dialect()); // It did not begin.
            default -> new StoreException(Kind.CONTENTION, "The transaction was rolled back because of " + e, e);
        };
    }

    /** Returns the statements; empty before the first use has built them. */
    public Optional<S> statements() {
        return Optional.ofNullable(known.get()).map(Known::statements);
    }

    private @Nullable Dialect dialect() {
        Known<S> current = known.get();
        return current == null ? table.dialect().orElse(null) : current.dialect;
    }

    /**
     * Runs an operation inside the caller's transaction: the connection is neither switched to autocommit, nor committed, nor
     * closed.
     *
     * @param limit how long one statement may take, also while it waits for another transaction
     */
    public <T> T join(Connection connection, Duration limit, Work<S, T> work) throws StoreException {
        Known<S> current = known(connection);
        SqlSession session = new SqlSession(connection, current.dialect, limit);
        try (session) {
            return work.execute(session, current.statements);
        } catch (SQLException | RuntimeException e) {
            throw failure(e, session);
        }
    }

    private Known<S> known(Connection connection) throws StoreException {
        Known<S> current = known.get();
        return current == null ? findOut(connection) : current;
    }

    /** Only reads: if it fails, the operation itself was not sent. */
    private Known<S> findOut(Connection connection) throws StoreException {
        try {
            Dialect dialect = table.dialect().isPresent() ? table.dialect().get() : Dialects.of(connection);
            Known<S> found = new Known<>(dialect, prepare(connection, dialect));
            return known.compareAndSet(null, found) ? found : Objects.requireNonNull(known.get());
        } catch (SQLException | RuntimeException e) {
            throw SqlFailures.nothingSent(e, dialect());
        }
    }

    private S prepare(Connection connection, Dialect dialect) throws StoreException {
        try (SqlSession session = new SqlSession(connection, dialect, table.queryTimeout())) {
            return setup.prepare(session);
        } catch (SQLException e) {
            throw failure(e, dialect, false);
        }
    }

    /** Says what a failure means; throws an exception again that is not of the database. */
    private StoreException failure(Exception e, SqlSession session) {
        if (e instanceof SQLException sql) {
            return failure(sql, session.dialect(), session.mayHaveSent());
        }
        if (e instanceof RuntimeException other && session.mayHaveSent()) {
            throw other;
        }
        return SqlFailures.nothingSent(e, session.dialect());
    }

    /** Says what a failure means. With {@code sent}, the database may have carried out the operation. */
    private StoreException failure(SQLException e, Dialect dialect, boolean sent) {
        return SqlFailures.kindOf(e, dialect) == Kind.OUTCOME_UNKNOWN && !sent
                ? SqlFailures.nothingSent(e, dialect)
                : SqlFailures.of(e, dialect, "The database failed", () -> "Is table " + table.name() + " there, as "
                        + table.printCommand(dialect) + " prints it, and may this user read and write it?");
    }
}
