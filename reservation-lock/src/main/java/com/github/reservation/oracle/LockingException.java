// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

/** Says that a {@link LockingStrategy} failed. It never means that the lock has another holder. */
public class LockingException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param cause best the {@link java.sql.SQLException}: its code says whether a retry can succeed
     */
    public LockingException(String message, Throwable cause) {
        super(message, cause);
    }
}
