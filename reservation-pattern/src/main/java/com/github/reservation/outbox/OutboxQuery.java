// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.internal.base.Limits;
import com.github.reservation.internal.outbox.EventTypes;
import java.util.Objects;
import java.util.Optional;

/**
 * Says which events {@link Outbox#list}, {@link Outbox#retryAll} and {@link Outbox#discardAll} mean. Immutable.
 *
 * @param parkedOnly whether an event must be parked, for the listener if one is named
 * @param listener the id of the listener for which an event must wait; empty for any
 * @param type the name of the type of the event; empty for any
 * @param key the key of the event; empty for any
 * @param afterId the ids that are meant are higher: the last id of the page before, or 0
 * @param limit the most events of a page, 1 to 1,000; only for {@code list}
 */
public record OutboxQuery(
        boolean parkedOnly,
        Optional<String> listener,
        Optional<String> type,
        Optional<String> key,
        long afterId,
        int limit) {

    private static final int USUAL_LIMIT = 100;
    private static final int HIGHEST_LIMIT = 1_000;

    public OutboxQuery {
        Objects.requireNonNull(listener, "listener must not be null").ifPresent(EventTypes::requireId);
        Objects.requireNonNull(type, "type must not be null").ifPresent(EventTypes::requireName);
        Objects.requireNonNull(key, "key must not be null");
        Limits.between("limit", limit, 1, HIGHEST_LIMIT);
    }

    /** Means all events, from the oldest on, 100 a page. */
    public static OutboxQuery all() {
        return new OutboxQuery(false, Optional.empty(), Optional.empty(), Optional.empty(), 0, USUAL_LIMIT);
    }

    /** Means parked events, from the oldest on, 100 a page. */
    public static OutboxQuery parked() {
        return new OutboxQuery(true, Optional.empty(), Optional.empty(), Optional.empty(), 0, USUAL_LIMIT);
    }

    /** Means those of them that wait for a listener. */
    public OutboxQuery ofListener(String id) {
        return new OutboxQuery(parkedOnly, Optional.of(EventTypes.requireId(id)), type, key, afterId, limit);
    }

    /** Means those of them that have a type, by its {@linkplain OutboxCodec#nameOf name}. */
    public OutboxQuery ofType(String name) {
        return new OutboxQuery(parkedOnly, listener, Optional.of(EventTypes.requireName(name)), key, afterId, limit);
    }

    /** Means those of them that have a key. */
    public OutboxQuery ofKey(String one) {
        return new OutboxQuery(parkedOnly, listener, type,
                Optional.of(Objects.requireNonNull(one, "key must not be null")), afterId, limit);
    }

    /** Means those of them after one: the next page. */
    public OutboxQuery after(long id) {
        return new OutboxQuery(parkedOnly, listener, type, key, id, limit);
    }

    /**
     * Lets a page have so many events at most.
     *
     * @throws IllegalArgumentException if it is not between 1 and 1,000
     */
    public OutboxQuery atMost(int events) {
        return new OutboxQuery(parkedOnly, listener, type, key, afterId, events);
    }
}
