// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.util.Objects;

/**
 * An event to append.
 *
 * @param key what the event is about, for example {@code order-42}: 1 to 1,089 characters, without NUL and half of a
 *     surrogate pair. Events of one key are delivered in order
 * @param event what happened; the {@link OutboxCodec} writes it as text
 */
public record OutboxMessage(String key, Object event) {

    private static final int LONGEST_KEY = 1_089;

    public OutboxMessage {
        Objects.requireNonNull(key, "key must not be null");
        Objects.requireNonNull(event, "event must not be null");
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new IllegalArgumentException(
                    "key must have 1 to " + LONGEST_KEY + " characters, but has " + key.length());
        }
        if (key.codePoints().anyMatch(point -> point == 0 || Character.getType(point) == Character.SURROGATE)) {
            throw new IllegalArgumentException("key must not contain NUL or half of a surrogate pair");
        }
    }

    /** Shows neither the key nor the event, which may be about a person. */
    @Override
    public String toString() {
        return "OutboxMessage[" + event.getClass().getName() + ']';
    }
}
