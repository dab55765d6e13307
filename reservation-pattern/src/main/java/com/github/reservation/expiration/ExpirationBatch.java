// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.time.Instant;
import java.util.List;

/**
 * Rows that expire in one transaction. Only for the thread that runs the work, while it runs.
 *
 * @param <T> what the {@link RowReader} makes of a row
 */
public interface ExpirationBatch<T> {

    /**
     * Returns the rows that are not rejected, as they are now: a list does not change when a row is rejected. This transaction has
     * locked the rows, and no other can change them.
     */
    List<T> rows();

    /** Returns the time at which the rows expire, by the clock of the database. */
    Instant expiredAt();

    /**
     * Excludes a row: it keeps its status, counts as failed, and is tried again later. The other rows go on.
     *
     * <p>The library rolls the transaction back, and runs the work again for the rows that were not rejected, in two halves. So it does
     * not matter whether the work has done something for the row, nor whether it throws after the call or returns. Reject all such
     * rows at once if you can.
     *
     * @throws IllegalArgumentException if the row is not one of the batch
     */
    void reject(T row, Throwable cause);
}
