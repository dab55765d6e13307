// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import org.jspecify.annotations.Nullable;

/**
 * Observes how long acquisitions take, for example to show the wait for a lock in a trace. Set it with
 * {@link AbstractReservationManagerBuilder#observer}.
 *
 * <p>It is called for reservations and for locks of the {@link com.github.reservation.lease.LockManager}, on the thread that acquires: a
 * call that blocks delays the acquisition. It must be thread-safe. An exception affects no lock. The first one is logged as a
 * warning, further ones at level DEBUG until a call has succeeded. It is not called
 * if a thread locks again what it holds, nor for leases of a {@link com.github.reservation.lease.LockProvider}: neither waits.
 */
@FunctionalInterface
public interface AcquisitionObserver {

    /** Begins an acquisition, before the store is asked. */
    Observed begin(String domain);

    /** An acquisition that is under way. */
    @FunctionalInterface
    @SuppressWarnings("exports") // Implementors need not have the annotation.
    interface Observed {

        /**
         * Ends the acquisition, on the same thread.
         *
         * @param result {@code acquired}, {@code timeout}, {@code error} or {@code interrupted}
         * @param failure why the result is {@code error}, else null
         */
        void end(String result, @Nullable Throwable failure);
    }
}
