// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.store.NewClaim;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.util.regex.Pattern;

/** Keeps values out of exceptions: databases quote in their messages what does not fit into a column. */
final class Redaction {

    private Redaction() {}

    /** Returns the exception, or one of the same code without its message if that may contain the value. */
    static SQLException of(SQLException e, NewClaim claim) {
        String message = String.valueOf(e.getMessage());
        String state = String.valueOf(e.getSQLState());
        boolean mayQuote = state.startsWith("22") || state.startsWith("23") || quotes(message, claim.value());
        if (!mayQuote) {
            return e;
        }
        SQLException redacted = sameType(e, "The row of claim " + claim.reservationId() + " of type " + claim.type()
                + " was refused (SQL state " + state + ", code " + e.getErrorCode() + ')');
        redacted.setStackTrace(e.getStackTrace());
        return redacted;
    }

    /** Looks for the value as a word: a short one is a part of many words. */
    private static boolean quotes(String message, String value) {
        return Pattern.compile("(?<![\\p{L}\\p{N}])" + Pattern.quote(value) + "(?![\\p{L}\\p{N}])")
                .matcher(message)
                .find();
    }

    /** The type says whether the statement took too long, cannot be right, or its transaction was rolled back. */
    private static SQLException sameType(SQLException e, String message) {
        return switch (e) {
            case SQLTimeoutException timeout -> new SQLTimeoutException(message, e.getSQLState(), e.getErrorCode());
            case SQLTransactionRollbackException rollback ->
                new SQLTransactionRollbackException(message, e.getSQLState(), e.getErrorCode());
            case SQLSyntaxErrorException syntax ->
                new SQLSyntaxErrorException(message, e.getSQLState(), e.getErrorCode());
            default -> new SQLException(message, e.getSQLState(), e.getErrorCode());
        };
    }
}
