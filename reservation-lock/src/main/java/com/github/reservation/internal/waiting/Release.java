// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.store.StoreException;

/** What became of a lease that its holder gave up. */
public sealed interface Release {

    /** The store has answered. */
    enum Answered implements Release {
        /** The lease went back to the store. */
        RETURNED,
        /** The lease went back to the store, and other nodes waited: this node is behind them. */
        QUEUED_BEHIND_OTHERS,
        /** The lease ended, and another thread of this manager has the key. */
        HANDED_OVER,
        /** The lease had been lost before. */
        LOST
    }

    /** The store did not answer; the release is retried in the background until the lease is over. */
    record Unanswered(StoreException failure) implements Release {}
}
