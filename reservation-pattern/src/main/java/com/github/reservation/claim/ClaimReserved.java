// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;
import java.util.Optional;

/**
 * A value is held.
 *
 * @param key {@code type:value}
 * @param correlationId what the owner passed to recognise the claim
 * @param expiresAt when the claim ends unless it is confirmed before
 */
public record ClaimReserved(
        String reservationId, String type, String key, Optional<String> correlationId, Instant occurredAt,
        Instant expiresAt)
        implements ClaimEvent {

    /** Does not show the value. */
    @Override
    public String toString() {
        return "ClaimReserved[" + reservationId + ", type " + type + ", at " + occurredAt + ']';
    }
}
