// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Callbacks for everything that happens to the reservations and the locks of a manager, for audits, dashboards and tests. Register one
 * with {@link ReservationManager#addListener}. To react to a loss at once, use {@link ReservationManager#onLost}: here a loss waits until
 * the calls before it have returned.
 *
 * <p>Calls come one after another on a daemon thread of the library, a moment after the event. A listener may block; then its own calls
 * wait, and nothing else does. If more than 10,000 of them wait, further ones are dropped with a warning in the log. Without
 * a listener, events cost nothing.
 *
 * <p>An exception of a listener affects nothing else. The first one is logged as a warning, with the class of the listener. Further ones
 * are logged at level DEBUG until a call of the listener has succeeded.
 *
 * <p>The events of one hold come in order. A release is reported when the store has answered; by then the next holder may have been
 * reported as acquired. The fencing token tells which hold came first. A release that the store does not answer is reported too: the hold
 * is over for its holder, and the library retries the release in the background until the lease ends.
 *
 * <p>Leases of a {@link com.github.reservation.lease.LockProvider} are not reported. A reservation that its thread locks again is not
 * acquired again, but renewed.
 */
public interface ReservationListener {

    /** A hold was acquired. */
    default void onAcquired(ReservationEvent event) {}

    /** A hold was not acquired, because another holder had the key until the wait was over. */
    default void onRefused(ReservationEvent event) {}

    /** The lease of a hold was renewed, by its holder or automatically. */
    default void onRenewed(ReservationEvent event) {}

    /** A hold was released by its holder. */
    default void onReleased(ReservationEvent event) {}

    /** A hold was lost before it was released. */
    default void onLost(LostReservation lost) {}
}
