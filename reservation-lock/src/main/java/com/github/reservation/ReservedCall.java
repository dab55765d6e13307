// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import org.jspecify.annotations.Nullable;

/**
 * Work with a result, done while a reservation is held, see {@link ReservationManager#call}.
 *
 * @param <T> the result
 * @param <X> what it may throw; the caller of {@code call} sees just that
 */
@FunctionalInterface
@SuppressWarnings("exports") // The annotation need not be there for those who call us.
public interface ReservedCall<T extends @Nullable Object, X extends Exception> {

    /** Does the work; {@code held} is the reservation, to be renewed or asked for its fencing token. */
    T call(Reservation held) throws X;
}
