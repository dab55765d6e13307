// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.expiration.BatchWork;
import com.github.reservation.expiration.RowReader;
import com.github.reservation.expiration.RowWork;
import com.github.reservation.expiration.Transactor;
import com.github.reservation.internal.expiration.jdbc.TableRows;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * How the rows of one table expire; a builder has validated it.
 *
 * @param source the name of the source
 * @param publication what happens to the events of rows; empty if there are none
 * @param timeLimit how long the work of one batch may take
 */
public record ExpirationPlan<T>(
        String source,
        TableRows rows,
        Transactor transactor,
        RowReader<T> reader,
        Work<T> work,
        Optional<Publication<T>> publication,
        int batchSize,
        Duration timeLimit,
        Ticker ticker) {

    /**
     * Returns whether the library sees each statement of the work. In a transaction of a framework the work may use the connection
     * behind the back of the library.
     */
    boolean isPlainJdbc() {
        return transactor instanceof JdbcTransactor;
    }

    /** Returns until when work that begins now may take, by the ticker. */
    long deadline() {
        return ticker.nanos() + timeLimit.toNanos();
    }

    /**
     * Where the events of a batch go.
     *
     * @param event makes the event of a row
     * @param append writes the events in the transaction of the batch, after the status of its rows was changed
     * @param publish publishes an event after the commit; throws nothing
     */
    public record Publication<T>(
            BiFunction<? super T, Instant, ?> event,
            BiConsumer<Connection, List<Object>> append,
            Consumer<Object> publish) {}

    /** The user's work for a batch, in either form. */
    @FunctionalInterface
    public interface Work<T> {

        void expire(WorkConnection tx, OpenBatch<T> batch) throws Exception;

        /** Returns no work: only the status changes. */
        static <T> Work<T> none() {
            return (tx, batch) -> {};
        }

        /** Returns work that does a whole batch at a time. */
        static <T> Work<T> onBatch(BatchWork<T> work) {
            return (tx, batch) -> work.expire(tx.connection(), batch);
        }

        /**
         * Returns work that does one row at a time. A row that fails does not stop the others, unless it was interrupted or a statement
         * failed: so one attempt finds as many rows that fail as it can.
         */
        static <T> Work<T> onEachRow(RowWork<T> work) {
            return (tx, batch) -> batch.rowByRow(tx, work);
        }
    }
}
