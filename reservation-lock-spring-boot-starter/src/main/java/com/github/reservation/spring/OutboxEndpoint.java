// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxFailure;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.RegisteredListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
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
 * The actuator endpoint {@code reservationoutbox}: what is not delivered and who listens, with retry, discard and forget. Keys may be
 * personal data, so access is {@code none} unless the application grants {@code read-only}, or {@code unrestricted} for changes. It does
 * not show what is in an event. Each operation blocks for its statements; a failure of the database is an error of the request.
 */
@Endpoint(id = "reservationoutbox", defaultAccess = Access.NONE)
public final class OutboxEndpoint {

    private static final Log LOG = LogFactory.getLog(OutboxEndpoint.class);
    private static final String LISTENERS = "listeners";

    private final Outbox outbox;

    OutboxEndpoint(Outbox outbox) {
        this.outbox = outbox;
    }

    /**
     * Returns the backlog, and events in the order of their ids.
     *
     * @param listener only events that wait for this listener
     * @param type only events of this type
     * @param key only events of this key
     * @param parked false for all events, not only parked ones
     * @param after the last id of the page before; default 0
     * @param size the most events, from 1 to 1000; default 100
     */
    @ReadOperation
    public Events events(
            @Nullable String listener,
            @Nullable String type,
            @Nullable String key,
            @Nullable Boolean parked,
            @Nullable Long after,
            @Nullable Integer size) {
        OutboxQuery query = query(listener, type, key, parked, asked -> {
            OutboxQuery page = after == null ? asked : asked.after(after);
            return size == null ? page : page.atMost(size);
        });
        OutboxBacklog backlog = outbox.backlog();
        List<Event> events = outbox.list(query).stream().map(Event::of).toList();
        return new Events(backlog.pending(), backlog.parked(), backlog.oldest().orElse(null), events);
    }

    private static OutboxQuery query(
            @Nullable String listener,
            @Nullable String type,
            @Nullable String key,
            @Nullable Boolean parked,
            UnaryOperator<OutboxQuery> page) {
        try {
            OutboxQuery query = parked == null || parked ? OutboxQuery.parked() : OutboxQuery.all();
            query = listener == null ? query : query.ofListener(listener);
            query = type == null ? query : query.ofType(type);
            query = key == null ? query : query.ofKey(key);
            return page.apply(query);
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "wrong parameter", e);
        }
    }

    /**
     * Returns the listeners that the database knows, also those that no instance has any more.
     *
     * @param what the word listeners
     */
    @ReadOperation
    public Listeners listeners(@Selector String what) {
        requireListeners(what);
        return new Listeners(outbox.listeners().stream().map(Listener::of).toList());
    }

    private static void requireListeners(String what) {
        if (!what.equals(LISTENERS)) {
            throw new InvalidEndpointRequestException(
                    "There is only " + LISTENERS + ", but not " + what, "wrong path");
        }
    }

    /** Delivers an event again. */
    @WriteOperation
    public Change retry(@Selector long id) {
        return new Change(outbox.retry(id) ? 1 : 0);
    }

    /** Delivers events again: those that {@link #events} shows, on all pages. It wants a parameter: a misspelt one is none. */
    @WriteOperation
    public Change retryAll(
            @Nullable String listener, @Nullable String type, @Nullable String key, @Nullable Boolean parked) {
        if (listener == null && type == null && key == null && parked == null) {
            throw new InvalidEndpointRequestException(
                    "Name a listener, a type or a key, or whether events must be parked", "too much to retry");
        }
        return new Change(outbox.retryAll(query(listener, type, key, parked, UnaryOperator.identity())));
    }

    /** Removes an event, for all its listeners. */
    @DeleteOperation
    public Change discard(@Selector long id) {
        return changed(outbox.discard(id) ? 1 : 0, "Event " + id + " of the outbox was discarded");
    }

    /** Removes events: those that {@link #events} shows, on all pages. It wants a listener, a type or a key. */
    @DeleteOperation
    public Change discardAll(
            @Nullable String listener, @Nullable String type, @Nullable String key, @Nullable Boolean parked) {
        if (listener == null && type == null && key == null) {
            throw new InvalidEndpointRequestException("Name a listener, a type or a key", "too much to discard");
        }
        OutboxQuery query = query(listener, type, key, parked, UnaryOperator.identity());
        return changed(outbox.discardAll(query), "Deliveries of the outbox were discarded"
                + (listener == null ? "" : ", of listener " + listener) + (type == null ? "" : ", of type " + type));
    }

    /**
     * Forgets a listener, or one of its types, and removes the events that wait for it.
     *
     * @param what the word listeners
     */
    @DeleteOperation
    public Change forget(@Selector String what, @Selector String listener, @Nullable String type) {
        requireListeners(what);
        try {
            boolean forgotten = type == null ? outbox.forget(listener) : outbox.forget(listener, type);
            return changed(forgotten ? 1 : 0, "The outbox has forgotten listener " + listener
                    + (type == null ? "" : " of type " + type));
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "wrong listener", e);
        }
    }

    private static Change changed(long count, String what) {
        if (count > 0) {
            LOG.warn(what + " (" + count + "), through the actuator");
        }
        return new Change(count);
    }

    /**
     * What is not delivered.
     *
     * @param pending how many events wait; one with two listeners counts twice
     * @param parked how many other events are parked
     * @param oldest how long ago the oldest of them was appended
     * @param events a page of those that were asked for
     */
    public record Events(long pending, long parked, @Nullable Duration oldest, List<Event> events) {}

    /**
     * An event that is not delivered.
     *
     * @param type the name of its class
     * @param listeners for whom it waits
     * @param failures those of them that failed, and why
     */
    public record Event(
            long id,
            String key,
            String type,
            Instant createdAt,
            List<String> listeners,
            List<OutboxFailure> failures) {

        private static Event of(OutboxEntry entry) {
            return new Event(
                    entry.id(), entry.key(), entry.type(), entry.createdAt(), entry.listeners(), entry.failures());
        }
    }

    /**
     * The listeners.
     *
     * @param listeners in the order of their ids
     */
    public record Listeners(List<Listener> listeners) {}

    /**
     * A listener.
     *
     * @param types what it wants, and when an instance last said so
     * @param pending how many events wait for it
     * @param parked how many other events are parked for it
     * @param oldest how long ago the oldest of them was appended
     */
    public record Listener(
            String id, Map<String, Instant> types, long pending, long parked, @Nullable Duration oldest) {

        private static Listener of(RegisteredListener listener) {
            return new Listener(
                    listener.id(),
                    listener.types(),
                    listener.pending(),
                    listener.parked(),
                    listener.oldest().orElse(null));
        }
    }

    /**
     * What became of a request.
     *
     * @param changed how many deliveries, events or listeners it changed
     */
    public record Change(long changed) {}
}
