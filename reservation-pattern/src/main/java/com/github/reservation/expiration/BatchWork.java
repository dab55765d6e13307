// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.sql.Connection;

/**
 * What else happens when rows expire, for example the return of stock. It runs in the transaction that changes the status of the
 * rows: either both happen or neither.
 *
 * <p>The work may run more than once for a row, because a batch that fails is rolled back and run again. So it must have no effect
 * outside the transaction. Use a listener of {@link ApplicationEvents} for mails and the like.
 *
 * <p>The status of the rows is changed already when the work begins. It must throw an {@link java.sql.SQLException} that it gets, or
 * reject the row: the transaction may be unusable after it, or rolled back. Work that returns after its time limit or an interrupt
 * counts as failed.
 *
 * <p>Update rows that many transactions share, such as stock, last and in a fixed order. Several instances run at once, and an
 * order that differs leads to deadlocks.
 *
 * @param <T> what the {@link RowReader} makes of a row
 */
@FunctionalInterface
public interface BatchWork<T> {

    /**
     * Does the work for all rows of a batch, with few statements.
     *
     * <p>If it throws and has not named a row with {@link ExpirationBatch#reject}, the library does not know which row failed. It
     * rolls back and runs the work again for halves of the batch, each in a transaction of its own, until it has found the row.
     *
     * @param tx the connection of the transaction. The work must not commit, roll back or close it; an attempt ends the run. It must
     *     not do so with the connection of a statement either, nor execute DDL: most databases commit the transaction then
     */
    void expire(Connection tx, ExpirationBatch<T> batch) throws Exception;
}
