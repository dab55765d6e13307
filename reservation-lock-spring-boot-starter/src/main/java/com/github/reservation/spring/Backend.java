// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsBuilder;
import java.util.Optional;
import java.util.function.Consumer;

/** Where the application keeps its reservations. Closing it closes what the starter opened for it, and nothing else. */
interface Backend extends AutoCloseable {

    /** Returns the place, as the second half of "Reservations are kept ...". */
    String place();

    /** Returns a builder without a domain. */
    AbstractReservationManagerBuilder<?> newBuilder();

    /**
     * Opens claims in the same place.
     *
     * @param customizer changes their builder
     * @throws ReservationConfigurationException if claims cannot be kept there
     */
    default Claims openClaims(Consumer<ClaimsBuilder<?>> customizer) {
        throw new ReservationConfigurationException(
                "Claims need a database, but reservations are kept " + place() + '.',
                "Set reservation.backend=jdbc, or define a bean of type Claims.");
    }

    /** Returns whether claims of this place can write their events to an outbox. */
    default boolean hasOutbox() {
        return false;
    }

    /** Returns whether the store notifies waiters now; empty if it never does, or not yet. */
    default Optional<Boolean> notifies() {
        return Optional.empty();
    }

    /**
     * Asks the store for an answer.
     *
     * @param probes makes managers on this backend that are for this question alone
     * @throws com.github.reservation.ReservationException if the store does not answer
     */
    default void ask(ReservationManagers probes) {
        probes.get("health").getReservation("health").isLocked();
    }

    @Override
    default void close() {}
}
