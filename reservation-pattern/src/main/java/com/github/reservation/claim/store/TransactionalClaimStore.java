// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import java.sql.Connection;

/**
 * A store that can make its changes in the transaction of a caller, for {@link com.github.reservation.claim.Claims#in}. Without it,
 * that method throws {@link UnsupportedOperationException}.
 */
public interface TransactionalClaimStore extends ClaimStore {

    /**
     * Returns the same claims inside the transaction of the connection. What is called on them uses this connection alone, and neither
     * commits nor closes it. A failure that a new transaction may not meet is a
     * {@link com.github.reservation.store.StoreException.Kind#CONTENTION}. Nothing is retried.
     */
    TransactionalClaimStore in(Connection connection);
}
