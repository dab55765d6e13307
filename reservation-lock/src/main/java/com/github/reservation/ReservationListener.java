// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import org.jspecify.annotations.Nullable;

/**
 * Callbacks for everything that happens to the reservations and the locks of a manager, for audits, dashboards and tests. Register one
 * with {@link ReservationManager#onEvent}. To react to a loss at once, use {@link ReservationManager#onLost}: here a loss waits until
 * the calls before it have returned.
 *
 * <p>{@link #onAcquiring} is called on the thread that acquires. All other calls come one after another on a daemon thread of the
 * library, a moment after the event. A listener may block; then its own calls wait, and nothing else does. If more than 10,000 of them
 * wait, further ones are dropped with a warning in the log. Without a listener, events cost nothing.
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
@SuppressWarnings("exports") // Implementors need not have the annotation.
public interface ReservationListener {

    /** An acquisition that is under way, see {@link #onAcquiring}. */
    @FunctionalInterface
    interface Acquiring {

        /** Does nothing. */
        Acquiring IGNORED = (result, failure) -> {};

        /**
         * Ends the acquisition, on the thread that began it.
         *
         * @param result {@code acquired}, {@code timeout}, {@code error} or {@code interrupted}
         * @param failure why the result is {@code error}, else null
         */
        void end(String result, @Nullable Throwable failure);
    }

    /**
     * An acquisition begins, and the store is about to be asked. Shows the wait for a lock in a trace, for example. Called on the thread
     * that acquires: a call that blocks delays the acquisition. It must be thread-safe. An exception affects no lock; the first one is
     * logged. Not called if a thread locks again what it holds, nor if work joins a lock of its thread: neither waits.
     *
     * @return is told how the acquisition ends
     */
    default Acquiring onAcquiring(String domain) {
        return Acquiring.IGNORED;
    }

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
