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
     * <p>Reject a row before your first statement if you can, because that costs nothing. If the work then throws, the library calls it
     * again without the row. After the first statement the library rolls the transaction back and runs the work again without
     * the row, so it no longer matters whether the work returns or throws. With a {@link Transactor} of a framework it always does
     * that, because it does not see all statements there.
     *
     * @throws IllegalArgumentException if the row is not one of the batch
     */
    void reject(T row, Throwable cause);
}
