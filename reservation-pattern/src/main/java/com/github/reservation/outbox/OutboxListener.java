// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

/**
 * A callback for events of an {@link Outbox} that wants to know about the delivery, for example to recognise an event that it has seen.
 *
 * <p>The library calls a listener after the transaction that appended the event was committed, at least once for each event. It calls
 * it again if it threw, if the process ended before the delivery was recorded, if the process was suspended or had no connection for about
 * as long as the lease time, or if the clock of the database was set. So a listener must tolerate to be called twice: compare
 * {@link Delivery#id()} with what it has done.
 *
 * <p>Events of one key arrive one after another, in order, on one instance at a time. Events of different keys arrive at the same time:
 * a listener must be thread-safe. It may block: that delays its own key and takes one of its own workers, but no other listener. If
 * all its workers are blocked, this instance delivers nothing more to it. A listener should have a time limit: the library does not
 * end a call that hangs. No transaction is open and no row is locked while it runs.
 *
 * @param <E> the type of the events
 */
@FunctionalInterface
public interface OutboxListener<E> {

    /**
     * Reacts to an event.
     *
     * @throws Exception if it failed. The event is delivered again after a pause, before the later events of its key
     */
    void on(E event, Delivery delivery) throws Exception;
}
