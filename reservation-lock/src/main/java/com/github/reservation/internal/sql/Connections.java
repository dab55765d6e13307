// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Takes connections, switches them to autocommit for one operation, and gives them back. It says what a failure means. */
final class Connections {

    private static final int VALIDATION_SECONDS = 5;
    private static final long LONGEST_CLOSE_SECONDS = 1;

    private Connections() {}

    static Connection open(DataSource dataSource) throws StoreException {
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
     * Switches autocommit on. The driver knows whether it is on, without a round trip.
     *
     * @param dialect null if it is not known yet
     * @return whether it was off
     */
    static boolean switchToAutoCommit(Connection connection, @Nullable Dialect dialect) throws StoreException {
        boolean wasOn;
        try {
            wasOn = connection.getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            throw SqlFailures.nothingSent(e, dialect);
        }
        if (wasOn && dialect != null && !dialect.hidesTransactions()) {
            return false;
        }
        try {
            connection.setAutoCommit(true);
            if (wasOn || connection.getAutoCommit()) {
                return !wasOn;
            }
        } catch (SQLException | RuntimeException e) {
            throw isAlive(connection) ? refused(": " + e.getMessage(), e) : SqlFailures.nothingSent(e, dialect);
        }
        throw refused(": it stays off", null);
    }

    /** A connection that refuses autocommit may be broken: that is an outage, not a wrong configuration. */
    private static boolean isAlive(Connection connection) {
        try {
            return connection.isValid(VALIDATION_SECONDS);
        } catch (SQLException | RuntimeException e) {
            Log.debug("Could not check whether a connection is valid", e);
            return false;
        }
    }

    private static StoreException refused(String how, @Nullable Exception cause) {
        return new StoreException(
                Kind.MISCONFIGURED,
                "The connection cannot be switched to autocommit" + how
                        + ". It seems to belong to a transaction, as of JTA;"
                        + " this call must not. Pass a DataSource that takes no part in transactions",
                cause);
    }

    /**
     * Closes a connection, after it has switched autocommit off if it was switched on. If that fails, the result stands, and the pool
     * finds the broken connection.
     */
    static void close(Connection connection, boolean switched) {
        try {
            if (switched) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException | RuntimeException e) {
            Log.debug("Could not switch autocommit off again", e);
        } finally {
            close(connection);
        }
    }

    /**
     * Closes a connection, which gives it back to its pool. A platform thread closes its own; for a virtual thread a platform thread
     * does it.
     *
     * <p>HikariCP, up to 7.1.0 at least, hands a connection to a waiter in a loop that ends when the waiter has run (its issue
     * 2398). A waiter on a virtual thread needs a carrier to run. A virtual thread in that loop keeps its carrier if it is pinned,
     * or if it is interrupted, because then no park in the loop lasts. If all carriers are in such loops, no virtual thread of the
     * JVM runs again.
     */
    static void close(Connection connection) {
        if (Thread.currentThread().isVirtual()) {
            closeOnPlatformThread(connection);
        } else {
            closeHere(connection);
        }
    }

    /**
     * Waits until the connection is closed, so that a thread has one at a time. The wait has a limit, because the waiter that
     * gets the connection may need the carrier to which the caller is pinned.
     */
    private static void closeOnPlatformThread(Connection connection) {
        CountDownLatch closed = new CountDownLatch(1);
        try {
            Threads.execute(() -> {
                try {
                    closeHere(connection);
                } finally {
                    closed.countDown();
                }
            });
        } catch (OutOfMemoryError e) { // The system has no thread left.
            closeHere(connection);
            return;
        }
        try {
            closed.await(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeHere(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            Log.debug("Could not close a connection", e);
        }
    }
}
