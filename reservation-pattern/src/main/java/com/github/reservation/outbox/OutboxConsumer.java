// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

/**
 * A callback for events of an {@link Outbox}. The rules of {@link OutboxListener} hold.
 *
 * @param <E> the type of the events
 */
@FunctionalInterface
public interface OutboxConsumer<E> {

    /**
     * Reacts to an event.
     *
     * @throws Exception if it failed. The event is delivered again after a pause, before the later events of its key
     */
    void accept(E event) throws Exception;
}
