// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Thrown at the end of a hold if it was lost before: its lease expired, or it was released by force. Another holder may have worked at
 * the same time.
 */
public class ReservationExpiredException extends ReservationException {

    private static final long serialVersionUID = 1L;

    private final String domain;
    private final String identifier;

    public ReservationExpiredException(String domain, String identifier) {
        super("Reservation [%s::%s] lease expired before unlock. Critical section guarantee may be violated."
                .formatted(domain, identifier));
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
