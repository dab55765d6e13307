// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.base.Log;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Takes connections, switches them to autocommit for one operation, and gives them back. It says what a failure means. */
final class Connections {

    private static final int VALIDATION_SECONDS = 5;

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
            ConnectionCloser.close(connection);
        }
    }
}
