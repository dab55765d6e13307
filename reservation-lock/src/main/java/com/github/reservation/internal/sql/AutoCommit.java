// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.base.Log;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Switches a connection to autocommit for one operation. The driver knows whether it is on, without a round trip. */
final class AutoCommit {

    private static final int VALIDATION_SECONDS = 5;

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

    /** Switches autocommit off. If that fails, the result stands, and the pool finds the broken connection. */
    static void switchBack(Connection connection) {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException | RuntimeException e) {
            Log.debug("Could not switch autocommit off again", e);
        }
    }
}
