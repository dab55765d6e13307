// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * An event that is not delivered to all its listeners yet, as it was when it was read. Behind an event that failed, the later events of
 * its key wait, too: {@link OutboxQuery#ofKey} shows them in their order.
 *
 * @param id for {@link Outbox#retry} and {@link Outbox#discard}
 * @param type the name of its class, see {@link OutboxCodec#nameOf}
 * @param payload what the codec wrote
 * @param createdAt when it was appended, by the clock of the database
 * @param listeners the ids of the listeners for which it waits
 * @param failures those of them that failed with this event, or that have been busy with it for a while
 */
public record OutboxEntry(
        long id,
        String key,
        String type,
        String payload,
        Instant createdAt,
        List<String> listeners,
        List<OutboxFailure> failures) {

    public OutboxEntry {
        Objects.requireNonNull(key, "key must not be null");
        Objects.requireNonNull(type, "type must not be null");
        Objects.requireNonNull(payload, "payload must not be null");
        Objects.requireNonNull(createdAt, "createdAt must not be null");
        listeners = List.copyOf(listeners);
        failures = List.copyOf(failures);
    }

    /** Returns whether a listener failed for too long. */
    public boolean isParked() {
        return failures.stream().anyMatch(OutboxFailure::parked);
    }

    /** Shows neither the key nor the payload, which may be about a person. */
    @Override
    public String toString() {
        return "OutboxEntry[" + id + ", type " + type + ", listeners " + listeners + ", failures " + failures + ']';
    }
}
