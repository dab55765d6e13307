// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Says that a reservation could not be acquired because the store failed or is not set up; never that somebody else
 * holds it, which is an answer and not an error.
 */
public class ReservationAcquisitionException extends ReservationException {

    private static final long serialVersionUID = 1L;

    private final String domain;
    private final String identifier;

    public ReservationAcquisitionException(String domain, String identifier, String message) {
        super(message);
        this.domain = domain;
        this.identifier = identifier;
    }

    public ReservationAcquisitionException(String domain, String identifier, String message, Throwable cause) {
        super(message, cause);
        this.domain = domain;
        this.identifier = identifier;
    }

    public String getDomain() {
        return domain;
    }

    public String getIdentifier() {
        return identifier;
    }
}
