// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.expiration.RowReader;
import com.github.reservation.expiration.Transactor;
import com.github.reservation.internal.store.ExpiringRows;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * How the rows of one table expire; a builder has validated it.
 *
 * @param source the name of the source
 * @param event makes the event of a row
 * @param publisher receives the events after the commit
 * @param timeLimit how long the work of one batch may take
 */
public record ExpirationPlan<T>(
        String source,
        ExpiringRows rows,
        Transactor transactor,
        RowReader<T> reader,
        Work<T> work,
        Optional<BiFunction<? super T, Instant, ?>> event,
        Consumer<Object> publisher,
        int batchSize,
        Duration timeLimit,
        Ticker ticker) {

    /** The user's work for a batch, in either form. */
    @FunctionalInterface
    public interface Work<T> {
        void expire(Connection tx, OpenBatch<T> batch) throws Exception;
    }
}
