// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationException;
import java.time.Duration;

/** Thrown by a call of a {@link Reserved} method if another caller held the lock until the wait ended. The method did not run. */
public class ReservationBusyException extends ReservationException {

    private static final long serialVersionUID = 1L;

    private final String domain;
    private final String identifier;

    public ReservationBusyException(String domain, String identifier, Duration waited) {
        super("Reservation [%s::%s] is held by another caller, and did not become free within %s"
                .formatted(domain, identifier, waited));
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
