// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

/** Says that a {@link LockingStrategy} could not find out or do what it was asked; never that somebody else has the lock. */
public class LockingException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Keeps what went wrong.
     *
     * @param cause best the {@link java.sql.SQLException}: its code tells whether it is worth trying again
     */
    public LockingException(String message, Throwable cause) {
        super(message, cause);
    }
}
