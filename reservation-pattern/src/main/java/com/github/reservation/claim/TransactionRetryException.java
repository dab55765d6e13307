// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.ReservationException;

/**
 * Thrown by claims in a caller's transaction, see {@link Claims#in}, if the database gave up because of another transaction: it was the
 * victim of a deadlock, it could not be serialized, or it waited too long. It is never an answer to the question who has a value. Roll
 * the whole transaction back and run it again.
 */
public class TransactionRetryException extends ReservationException {

    private static final long serialVersionUID = 1L;

    public TransactionRetryException(String message, Throwable cause) {
        super(message, cause);
    }
}
