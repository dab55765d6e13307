// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Thrown if a reservation or lock could not be acquired because the store failed or is misconfigured. It never means that another
 * holder has it: see {@link ReservationBusyException}.
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
