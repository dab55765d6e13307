// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.expiration.BatchWork;
import com.github.reservation.expiration.RowReader;
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
 * @param work what else happens; empty if only the status changes
 * @param publication what happens to the events of rows; empty if there are none
 * @param timeLimit how long the work of one batch may take
 */
public record ExpirationPlan<T>(
        String source,
        TableRows rows,
        Transactor transactor,
        RowReader<T> reader,
        Optional<BatchWork<T>> work,
        Optional<Publication<T>> publication,
        int batchSize,
        Duration timeLimit,
        Ticker ticker) {

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
}
