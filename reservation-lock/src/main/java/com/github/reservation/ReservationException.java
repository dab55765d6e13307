// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.internal.base.Log;

/**
 * Thrown if a reservation could not be acquired, renewed or released. It is the base of all exceptions of this library that do
 * not report a misuse of the API.
 *
 * <p>It is unchecked because the methods of {@link java.util.concurrent.locks.Lock} declare no checked exception. If it is not one
 * of its subtypes, the store did not answer and the result is unknown, or a wait was interrupted. Control characters and line breaks of keys are escaped in its message.
 */
public class ReservationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ReservationException(String message) {
        super(Log.oneLine(message));
    }

    public ReservationException(String message, Throwable cause) {
        super(Log.oneLine(message), cause);
    }
}
