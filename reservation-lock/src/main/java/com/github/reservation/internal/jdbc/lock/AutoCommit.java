// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Switches a connection to autocommit for one operation. Whether it is already, the driver knows without asking. */
final class AutoCommit {

    private static final int PATIENCE_SECONDS = 5;

    private AutoCommit() {}

    /**
     * Switches autocommit on.
     *
     * @param dialect null if it is not known yet
     * @return whether it was off
     */
    static boolean switchOn(Connection connection, @Nullable Dialect dialect) throws StoreException {
        boolean wasOn;
        try {
            wasOn = connection.getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            throw SqlFailures.nothingAsked(e, dialect);
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
            throw isAlive(connection) ? refused(": " + e.getMessage(), e) : SqlFailures.nothingAsked(e, dialect);
        }
        throw refused(": it stays off", null);
    }

    /** A connection may refuse because it is broken: that is an outage, and no reason to change the set-up. */
    private static boolean isAlive(Connection connection) {
        try {
            return connection.isValid(PATIENCE_SECONDS);
        } catch (SQLException | RuntimeException e) {
            Log.debug("A connection does not say whether it is valid", e);
            return false;
        }
    }

    private static StoreException refused(String how, @Nullable Exception cause) {
        return new StoreException(
                Kind.MISCONFIGURED,
                "The connection cannot be switched to autocommit" + how
                        + ". It seems to belong to a transaction, as of JTA;"
                        + " a lock must not. Pass a DataSource that takes no part in transactions",
                cause);
    }

    /** The answer is known by now; a connection that cannot be switched back is the pool's to find out. */
    static void switchBack(Connection connection) {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException | RuntimeException e) {
            Log.debug("Could not switch autocommit off again", e);
        }
    }
}
