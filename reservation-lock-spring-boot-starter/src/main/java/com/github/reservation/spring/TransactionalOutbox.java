// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxMessage;
import java.util.List;

/**
 * Appends events to the {@link Outbox} in the current transaction of Spring: they are delivered if and only if it commits. Thread-safe.
 *
 * {@snippet file="com/github/reservation/spring/demo/Checkout.java" region="outbox"}
 */
public final class TransactionalOutbox {

    private final Outbox outbox;
    private final CallersTransaction transaction;

    TransactionalOutbox(Outbox outbox, CallersTransaction transaction) {
        this.outbox = outbox;
        this.transaction = transaction;
    }

    /**
     * Appends an event, on the connection of the transaction. See {@link Outbox#append}.
     *
     * @param key what the event is about; events of one key are delivered in order
     * @throws IllegalStateException if this thread has no transaction on the data source of the outbox
     * @throws com.github.reservation.ReservationException if the database failed: let the transaction roll back
     */
    public void append(String key, Object event) {
        appendAll(List.of(new OutboxMessage(key, event)));
    }

    /** Appends events in the order of the list, with few statements. See {@link #append}. */
    public void appendAll(List<OutboxMessage> messages) {
        boolean appended = transaction
                .use(connection -> {
                    outbox.appendAll(connection, messages);
                    return true;
                })
                .orElse(false);
        if (!appended) {
            throw new IllegalStateException("Events can only be appended inside a transaction on the data source of the"
                    + " outbox, for example in a @Transactional method. Global transactions (JTA) do not count");
        }
    }
}
