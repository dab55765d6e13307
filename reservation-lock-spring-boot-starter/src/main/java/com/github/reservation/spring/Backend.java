// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import java.util.Optional;
import java.util.function.Supplier;

/** Where the application keeps its reservations. Closing it closes what the starter opened for it, and nothing else. */
interface Backend extends AutoCloseable {

    /** Returns the place, as the second half of "Reservations are kept ...". */
    String place();

    /** Returns a builder without a domain. */
    AbstractReservationManagerBuilder<?> newBuilder();

    /** Returns the database in which claims can be kept, if there is one; it opens when it is asked for. */
    default Optional<Supplier<JdbcBackend>> database() {
        return Optional.empty();
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
