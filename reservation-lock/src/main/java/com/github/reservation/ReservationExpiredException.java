// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Says at {@link Reservation#unlock()} that the reservation was no longer this thread's: its lease ran out, or it was
 * forced open. Somebody else may have worked on the same thing at the same time.
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
