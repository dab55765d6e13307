// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The reservation that the current thread holds because it runs a {@link Reserved} method; of nested ones the innermost. Threads that
 * the method starts have none.
 *
 * {@snippet file="com/github/reservation/spring/demo/Shipping.java" region="fencing"}
 */
public final class CurrentReservation {

    private static final ThreadLocal<@Nullable Reservation> CURRENT = new ThreadLocal<>();

    private CurrentReservation() {}

    /**
     * Returns the reservation, to check or renew its lease. Do not unlock it.
     *
     * @throws IllegalStateException if this thread runs no {@link Reserved} method
     */
    public static Reservation get() {
        return find().orElseThrow(() -> new IllegalStateException(
                "This thread runs no @Reserved method. Was the method called on its own object, without the proxy?"));
    }

    /** Returns the reservation, if this thread runs a {@link Reserved} method. */
    public static Optional<Reservation> find() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Returns the fencing token of the reservation; empty if its lease was lost, or if the backend has no tokens.
     *
     * @throws IllegalStateException if this thread runs no {@link Reserved} method
     */
    public static OptionalLong fencingToken() {
        return get().fencingToken();
    }

    /** Makes the reservation the current one, and returns the one before. */
    static @Nullable Reservation replace(@Nullable Reservation reservation) {
        Reservation before = CURRENT.get();
        if (reservation == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(reservation);
        }
        return before;
    }
}
