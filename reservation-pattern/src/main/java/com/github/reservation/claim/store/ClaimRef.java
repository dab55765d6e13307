// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import org.jspecify.annotations.Nullable;

/**
 * Names the claim that a caller wants to change.
 *
 * @param token the proof that it is the caller's; null to change whatever claim there is
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public record ClaimRef(String reservationId, @Nullable String token) {

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
