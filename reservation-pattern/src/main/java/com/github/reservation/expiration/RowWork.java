// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.sql.Connection;

/**
 * What else happens when a row expires. The same rules hold as for {@link BatchWork}, which is several times faster because it
 * needs fewer statements. This form cannot sort what it updates for a whole batch: if rows of a batch share what they update, such
 * as stock, several instances deadlock and try again. Use it for rows that share nothing.
 *
 * @param <T> what the {@link RowReader} makes of a row
 */
@FunctionalInterface
public interface RowWork<T> {

    /**
     * Does the work for one row. If it throws, the row keeps its status and counts as failed, and the library runs the work for the
     * other rows of the batch again.
     */
    void expire(Connection tx, T row) throws Exception;
}
