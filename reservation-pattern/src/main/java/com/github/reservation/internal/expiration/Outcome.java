// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.expiration.jdbc.RowKey;
import java.util.List;
import java.util.Map;

/** What became of one attempt to expire a batch. */
sealed interface Outcome {

    /** The rows are expired, but for those that were rejected. */
    record Committed(List<RowKey> expired, Map<RowKey, Throwable> rejected) implements Outcome {}

    /**
     * The transaction was rolled back.
     *
     * @param left the rows that were locked and not rejected. If no row was rejected, any of them can be the reason
     * @param contended whether another transaction was in the way, as in a deadlock, so that the same batch can be tried again
     */
    record Failed(List<RowKey> left, Map<RowKey, Throwable> rejected, Throwable cause, boolean contended)
            implements Outcome {}
}
