// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxMessage;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Takes chosen events of claims, in the transaction of the change that makes them.
 *
 * <p>If the reply of a commit is lost, a {@code reserve} that is sent again finds its own claim and appends a second event, equal to
 * the first.
 *
 * @param types whether it takes events of a class
 */
public record ClaimOutbox(Outbox outbox, Predicate<? super Class<? extends ClaimEvent>> types) {

    public ClaimOutbox {
        Objects.requireNonNull(outbox, "outbox must not be null");
        Objects.requireNonNull(types, "types must not be null");
    }

    /** Returns whether it takes an event of one of these classes. */
    public boolean takesAny(List<Class<? extends ClaimEvent>> classes) {
        return classes.stream().anyMatch(types);
    }

    /** Appends those events that it takes, in their order. If there are none, it sends nothing. */
    public void append(Connection transaction, List<? extends ClaimEvent> events) throws StoreException {
        List<OutboxMessage> messages = events.stream()
                .filter(event -> types.test(event.getClass()))
                .map(event -> new OutboxMessage(event.reservationId(), event))
                .toList();
        if (messages.isEmpty()) {
            return;
        }
        try {
            outbox.appendAll(transaction, messages);
        } catch (RuntimeException e) {
            throw e.getCause() instanceof StoreException cause
                    ? cause
                    : new StoreException(
                            Kind.MISCONFIGURED, "The event of a claim cannot be appended: " + e.getMessage(), e);
        }
    }
}
