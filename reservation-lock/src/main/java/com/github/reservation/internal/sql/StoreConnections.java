// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Takes a connection for each piece of work of a store, and says what a failure of the connection means. */
public final class StoreConnections {

    /** What a store does with a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Connection connection) throws StoreException;
    }

    /** How far a transaction got. */
    private enum Stage {
        BEGIN, WORK, COMMIT
    }

    private final DataSource dataSource;
    private final Supplier<Optional<Dialect>> dialect;
    private final Transactions transactions;

    /**
     * Takes connections from a data source.
     *
     * @param dialect empty as long as it is not known
     */
    StoreConnections(DataSource dataSource, Supplier<Optional<Dialect>> dialect) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.transactions = new Transactions(dataSource);
    }

    /** Runs the work on a connection in autocommit. If it was not, it is switched, and switched back afterwards. */
    public <T> T use(Work<T> work) throws StoreException {
        Connection connection = connect();
        try {
            boolean switched = AutoCommit.switchOn(connection, dialect.get().orElse(null));
            try {
                return work.run(connection);
            } finally {
                if (switched) {
                    AutoCommit.switchBack(connection);
                }
            }
        } finally {
            ConnectionCloser.close(connection);
        }
    }

    private Connection connect() throws StoreException {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw noConnection(e, e);
        } catch (RuntimeException e) {
            // HikariCP, when the first connection of a pool fails. Nothing was sent, so nothing is in doubt.
            throw noConnection(e, e.getCause() instanceof SQLException cause ? cause : new SQLException(e));
        }
    }

    private static StoreException noConnection(Exception e, SQLException reason) {
        return new StoreException(
                SqlFailures.kindOfConnecting(reason), "No connection to the database: " + e.getMessage(), e);
    }

    /**
     * Runs the work in a transaction, at READ COMMITTED. Until the commit is sent, nothing is done: a failure before it is never
     * {@code OUTCOME_UNKNOWN}.
     */
    public <T> T transact(Work<T> work) throws StoreException {
        return use(connection -> {
            AtomicReference<Stage> stage = new AtomicReference<>(Stage.BEGIN);
            try {
                return transactions.runOn(connection, begun -> {
                    stage.set(Stage.WORK);
                    T result = work.run(begun);
                    stage.set(Stage.COMMIT);
                    return result;
                });
            } catch (Exception e) {
                throw stage.get() == Stage.COMMIT ? notCommitted(e) : notDone(stage.get(), e);
            }
        });
    }

    private StoreException notDone(Stage stage, Exception e) {
        if (!(e instanceof StoreException failure)) {
            return stage == Stage.BEGIN
                    ? SqlFailures.nothingSent(e, dialect.get().orElse(null))
                    : new StoreException(Kind.CONTENTION, "The transaction was rolled back because of " + e, e);
        }
        return failure.kind() == Kind.OUTCOME_UNKNOWN
                ? new StoreException(Kind.CONTENTION, "The transaction was not committed: " + e.getMessage(), e)
                : failure;
    }

    private StoreException notCommitted(Exception e) {
        Kind kind = Kind.OUTCOME_UNKNOWN;
        if (e instanceof SQLException sql) {
            kind = dialect.get().map(known -> SqlFailures.kindOf(sql, known)).orElseGet(() -> SqlFailures.kindOf(sql));
        }
        return new StoreException(kind, "The commit failed: " + e.getMessage(), e);
    }
}
