// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.claim.store.TransactionalClaimStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

/** The transaction of a caller, in which claims change together with what the caller changes. */
final class CallersTransaction {

    private CallersTransaction() {}

    /** Returns the store inside the transaction. */
    static ClaimStore join(ClaimStore store, Connection connection) {
        Objects.requireNonNull(connection, "connection must not be null");
        if (!(store instanceof TransactionalClaimStore transactional)) {
            throw new UnsupportedOperationException("The store of the claims cannot join a transaction: "
                    + store.getClass().getName() + " is no TransactionalClaimStore");
        }
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException("connection must not be in autocommit mode:"
                        + " a claim and its entity would not commit together");
            }
        } catch (SQLException e) {
            throw new ReservationException("The connection cannot be used: " + e.getMessage(), e);
        }
        return transactional.in(connection);
    }
}
