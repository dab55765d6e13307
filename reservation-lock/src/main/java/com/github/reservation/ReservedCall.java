// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import org.jspecify.annotations.Nullable;

/**
 * A call with a result to make while a reservation is held, see {@link ReservationManager#call}.
 *
 * @param <T> the result
 * @param <X> the exception that it may throw; {@code call} declares the same
 */
@FunctionalInterface
@SuppressWarnings("exports") // Callers need not have the annotation.
public interface ReservedCall<T extends @Nullable Object, X extends Exception> {

    /** Does the work. Use {@code held} to renew the lease or to get the fencing token. */
    T call(Reservation held) throws X;
}
