// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Says that a reservation could not be acquired, kept or given back; the base of every error of this library that is
 * not a misuse of the API.
 *
 * <p>It is unchecked because {@link java.util.concurrent.locks.Lock} leaves no room for a checked one. Thrown as such
 * (not as one of its subtypes) it means: the store could not be asked, so the answer is not known.
 */
public class ReservationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ReservationException(String message) {
        super(message);
    }

    public ReservationException(String message, Throwable cause) {
        super(message, cause);
    }
}
