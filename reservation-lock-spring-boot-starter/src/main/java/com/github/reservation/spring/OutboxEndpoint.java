// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxFailure;
import com.github.reservation.outbox.OutboxQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code reservationoutbox}: what is not delivered, with retry and discard. Keys may be personal data, so access is
 * {@code none} unless the application grants {@code read-only}, or {@code unrestricted} for changes. It does not show what is in an event.
 */
@Endpoint(id = "reservationoutbox", defaultAccess = Access.NONE)
public final class OutboxEndpoint {

    private static final Log LOG = LogFactory.getLog(OutboxEndpoint.class);

    private final Outbox outbox;

    OutboxEndpoint(Outbox outbox) {
        this.outbox = outbox;
    }

    /**
     * Returns the backlog, and parked events in the order of their ids.
     *
     * @param after the last id of the page before; default 0
     * @param size the most events, from 1 to 1000; default 100
     */
    @ReadOperation
    public Parked parked(@Nullable Long after, @Nullable Integer size) {
        OutboxBacklog backlog = outbox.backlog();
        List<Event> events = outbox.list(query(after, size)).stream().map(Event::of).toList();
        return new Parked(backlog.pending(), backlog.parked(), backlog.oldest().orElse(null), events);
    }

    private static OutboxQuery query(@Nullable Long after, @Nullable Integer size) {
        try {
            OutboxQuery query = OutboxQuery.parked().after(after == null ? 0 : after);
            return size == null ? query : query.atMost(size);
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "wrong size", e);
        }
    }

    /** Delivers an event again. */
    @WriteOperation
    public Change retry(@Selector long id) {
        return new Change(outbox.retry(id));
    }

    /** Removes an event that was not delivered. */
    @DeleteOperation
    public Change discard(@Selector long id) {
        boolean discarded = outbox.discard(id);
        if (discarded) {
            LOG.warn("Event " + id + " of the outbox was discarded, through the actuator");
        }
        return new Change(discarded);
    }

    /**
     * What is not delivered.
     *
     * @param pending how many events wait
     * @param parked how many other events are parked
     * @param oldest how long ago the oldest of them was appended
     * @param events a page of the parked ones
     */
    public record Parked(long pending, long parked, @Nullable Duration oldest, List<Event> events) {}

    /**
     * A parked event.
     *
     * @param type the name of its class
     * @param failures the listeners that failed, and why
     */
    public record Event(long id, String key, String type, Instant createdAt, List<OutboxFailure> failures) {

        private static Event of(OutboxEntry entry) {
            return new Event(entry.id(), entry.key(), entry.type(), entry.createdAt(), entry.failures());
        }
    }

    /**
     * What became of a request.
     *
     * @param changed whether there was such an event
     */
    public record Change(boolean changed) {}
}
