// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Names the claim that a caller wants to change.
 *
 * @param reservationId {@code res_} and 32 hex digits; {@code -} if the caller named a claim that cannot exist
 * @param token the proof that the claim is the caller's: 32 hex digits; {@code -} if the caller has a token that cannot exist; null to
 *     change whatever claim the id has
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public record ClaimRef(String reservationId, @Nullable String token) {

    public ClaimRef {
        Objects.requireNonNull(reservationId, "reservationId must not be null");
    }

    /** Returns whether the caller may change the claim that has this token. */
    public boolean admits(String stored) {
        return token == null || token.equals(stored);
    }

    /** Does not show the token. */
    @Override
    public String toString() {
        return "ClaimRef[" + reservationId + ']';
    }
}
