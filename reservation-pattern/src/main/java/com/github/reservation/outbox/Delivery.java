// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.time.Instant;

/**
 * One call of a listener.
 *
 * @param id the id of the event. It is the same at each attempt, so a listener can recognise an event that it has seen
 * @param key the key of the event
 * @param attempt 1 for the first call of this listener with this event, as far as is recorded
 * @param createdAt when the event was appended, by the clock of the database
 */
public record Delivery(long id, String key, int attempt, Instant createdAt) {

    /** Does not show the key. */
    @Override
    public String toString() {
        return "Delivery[" + id + ", attempt " + attempt + ']';
    }
}
