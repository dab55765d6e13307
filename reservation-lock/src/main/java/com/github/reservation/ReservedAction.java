// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * An action to run while a reservation is held, see {@link ReservationManager#run}.
 *
 * @param <X> the exception that it may throw; {@code run} declares the same
 */
@FunctionalInterface
public interface ReservedAction<X extends Exception> {

    /** Does the work. Use {@code held} to renew the lease or to get the fencing token. */
    void run(Reservation held) throws X;
}
