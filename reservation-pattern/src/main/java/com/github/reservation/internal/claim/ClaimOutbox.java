// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxMessage;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.util.List;

/**
 * Takes the events of claims, in the transaction of the change that makes them.
 *
 * <p>If the reply of a commit is lost, a {@code reserve} that is sent again finds its own claim and appends a second event, equal to
 * the first.
 */
public record ClaimOutbox(Outbox outbox) {

    /** Appends the events in their order. If there are none, it sends nothing. */
    public void append(Connection transaction, List<? extends ClaimEvent> events) throws StoreException {
        if (events.isEmpty()) {
            return;
        }
        try {
            outbox.appendAll(transaction, events.stream()
                    .map(event -> new OutboxMessage(event.reservationId(), event))
                    .toList());
        } catch (RuntimeException e) {
            throw e.getCause() instanceof StoreException cause
                    ? cause
                    : new StoreException(
                            Kind.MISCONFIGURED, "The event of a claim cannot be appended: " + e.getMessage(), e);
        }
    }
}
