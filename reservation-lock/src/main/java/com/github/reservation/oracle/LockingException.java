// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

/** Thrown if a {@link LockingStrategy} could not execute a request. It never means that another holder has the lock. */
public class LockingException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with a cause.
     *
     * @param cause preferably the {@link java.sql.SQLException}: its code decides whether the manager retries
     */
    public LockingException(String message, Throwable cause) {
        super(message, cause);
    }
}
