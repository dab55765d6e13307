// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationException;
import com.github.reservation.ReservationInfo;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a call of a {@link Reserved} method if another caller held the lock until the wait ended. The method did not run. */
public class ReservationBusyException extends ReservationException {

    private static final long serialVersionUID = 1L;

    private final String domain;
    private final String identifier;
    private final transient @Nullable ReservationInfo holder;

    public ReservationBusyException(
            String domain, String identifier, Duration waited, @Nullable ReservationInfo holder) {
        super("Reservation [%s::%s] is held by another caller, and did not become free within %s".formatted(
                domain, identifier, waited));
        this.domain = domain;
        this.identifier = identifier;
        this.holder = holder;
    }

    public String getDomain() {
        return domain;
    }

    public String getIdentifier() {
        return identifier;
    }

    /**
     * Returns who held the lock when the wait had ended, since when, and for how long at most. Empty if it had become free in that moment,
     * if it was another node's turn, if the store did not answer, or if this exception was serialized. The message does not name the
     * holder: its thread and host are nothing for a customer to read.
     */
    public Optional<ReservationInfo> getHolder() {
        return Optional.ofNullable(holder);
    }
}
