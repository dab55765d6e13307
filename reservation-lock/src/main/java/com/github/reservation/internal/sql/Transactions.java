// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs work in transactions of its own, at READ COMMITTED. It leaves autocommit and the isolation level of each connection as
 * they were.
 *
 * <p>It asks the first connection alone for its isolation level, because some drivers ask the database each time. The connections
 * of a pool have the same one.
 */
public final class Transactions {

    /** What a transaction does. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Connection connection) throws Exception;
    }

    private final DataSource dataSource;
    private volatile @Nullable Integer usualIsolation;

    public Transactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Commits what the work did if it returns, and rolls it back if it throws. */
    public <T> T run(Work<T> work) throws Exception {
        Connection connection = dataSource.getConnection();
        try {
            return runOn(connection, work);
        } finally {
            Connections.close(connection);
        }
    }

    /** Does the same on a connection of the data source, and leaves it open. */
    <T> T runOn(Connection connection, Work<T> work) throws Exception {
        return run(connection, connection.getAutoCommit(), isolationOf(connection), work);
    }

    /** To turn autocommit on commits a transaction that is still open: so that is only done if there is none. */
    private static <T> T run(Connection connection, boolean autoCommit, int isolation, Work<T> work)
            throws Exception {
        T result;
        try {
            begin(connection, autoCommit, isolation);
            result = work.run(connection);
            connection.commit();
        } catch (Throwable e) {
            if (isRolledBack(connection, e)) {
                restore(connection, autoCommit, isolation);
            } else {
                abort(connection, e);
            }
            throw e;
        }
        restore(connection, autoCommit, isolation);
        return result;
    }

    private int isolationOf(Connection connection) throws SQLException {
        Integer usual = usualIsolation;
        if (usual == null) {
            usual = connection.getTransactionIsolation();
            usualIsolation = usual;
        }
        return usual;
    }

    private static void begin(Connection connection, boolean autoCommit, int isolation) throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        if (autoCommit) {
            connection.setAutoCommit(false);
        }
    }

    private static boolean isRolledBack(Connection connection, Throwable reason) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException | RuntimeException e) {
            reason.addSuppressed(e);
            return false;
        }
    }

    /** Lets nobody use the connection again. The database rolls its transaction back. */
    private static void abort(Connection connection, Throwable reason) {
        try {
            connection.abort(Threads::execute);
        } catch (SQLException | RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    /** If that fails, the result stands, and the pool finds the broken connection. */
    private static void restore(Connection connection, boolean autoCommit, int isolation) {
        try {
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
        } catch (SQLException | RuntimeException e) {
            Log.debug("Could not put a connection back into its former state", e);
        }
    }
}
