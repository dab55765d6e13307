// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.util.Objects;
import java.util.Optional;

/**
 * Says which claim {@link Claims#findReservation} looks for. Immutable.
 *
 * @param reservationId the id; empty if the claim is named by type and value
 * @param type the type; empty if the claim is named by its id
 * @param value the value; empty if the claim is named by its id
 * @param onlyActive whether a claim that is not active does not count
 */
public record ClaimQuery(
        Optional<String> reservationId, Optional<String> type, Optional<String> value, boolean onlyActive) {

    /** Looks for the claim of an id. */
    public static ClaimQuery byId(String reservationId) {
        Objects.requireNonNull(reservationId, "reservationId must not be null");
        return new ClaimQuery(Optional.of(reservationId), Optional.empty(), Optional.empty(), false);
    }

    /** Looks for the claim of a value, after the normaliser of its type. */
    public static ClaimQuery byKey(String type, String value) {
        Objects.requireNonNull(type, "type must not be null");
        Objects.requireNonNull(value, "value must not be null");
        return new ClaimQuery(Optional.empty(), Optional.of(type), Optional.of(value), false);
    }

    /** Looks for the same claim, but only if it is held, and neither confirmed nor over. */
    public ClaimQuery activeOnly() {
        return new ClaimQuery(reservationId, type, value, true);
    }

    /** Does not show the value. */
    @Override
    public String toString() {
        return "ClaimQuery[" + reservationId.orElseGet(() -> "type " + type.orElse("")) + (onlyActive ? ", active" : "")
                + ']';
    }
}
