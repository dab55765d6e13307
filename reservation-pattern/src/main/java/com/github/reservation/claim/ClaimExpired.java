// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;
import java.util.Optional;

/**
 * A claim ended without being confirmed. A sweep found it, or the next owner of the value did.
 *
 * @param key {@code type:value}
 * @param correlationId what the owner passed to recognise the claim
 * @param occurredAt the end of the claim, which lies before this call
 */
public record ClaimExpired(
        String reservationId, String type, String key, Optional<String> correlationId, Instant occurredAt)
        implements ClaimEvent {

    /** Does not show the value. */
    @Override
    public String toString() {
        return "ClaimExpired[" + reservationId + ", type " + type + ", at " + occurredAt + ']';
    }
}
