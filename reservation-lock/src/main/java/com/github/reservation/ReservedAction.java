// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Work done while a reservation is held, see {@link ReservationManager#run}.
 *
 * @param <X> what it may throw; the caller of {@code run} sees just that
 */
@FunctionalInterface
public interface ReservedAction<X extends Exception> {

    /** Does the work; {@code held} is the reservation, to be renewed or asked for its fencing token. */
    void run(Reservation held) throws X;
}
