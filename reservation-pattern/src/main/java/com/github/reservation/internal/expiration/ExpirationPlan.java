// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.expiration.RowReader;
import com.github.reservation.expiration.Transactor;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * How the rows of one table expire; a builder has validated it.
 *
 * @param source the name of the source
 * @param event makes the event of a row
 * @param publication receives the events
 * @param timeLimit how long the work of one batch may take
 */
public record ExpirationPlan<T>(
        String source,
        ExpiringRows rows,
        Transactor transactor,
        RowReader<T> reader,
        Work<T> work,
        Optional<BiFunction<? super T, Instant, ?>> event,
        Publication publication,
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

    /** Where the events of a batch go. */
    public interface Publication {

        /** Writes the events in the transaction of the batch, after the status of its rows was changed. */
        default void append(Connection tx, List<Object> events) {}

        /** Publishes an event after the commit. */
        default void publish(Object event) {}
    }

    /** The user's work for a batch, in either form. */
    @FunctionalInterface
    public interface Work<T> {
        void expire(Connection tx, OpenBatch<T> batch) throws Exception;
    }
}
