// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A claim as the store showed it when it was read. Immutable: it does not change when time goes on, so read it again to learn its
 * current state. All times are the store's; the clock of this machine plays no part. The token is not in it.
 *
 * @param reservationId {@code res_} and 32 hex digits, the same for each claim of the same key
 * @param key {@code type:value}
 * @param status a claim that ended unconfirmed is {@link ClaimStatus#EXPIRED} at once, whether a sweep has marked it yet or not
 * @param expiresAt when the claim ends, or ended, unless it is confirmed before
 * @param remainingTtl how long the claim would still run when it was read; zero if it is not {@link ClaimStatus#RESERVED}
 * @param entityId the entity that a confirmed claim belongs to
 * @param correlationId what its owner passed to recognise it
 * @param version grows with each change
 * @param createdAt when this owner reserved the value
 */
public record Claim(
        String reservationId,
        String key,
        String type,
        String value,
        ClaimStatus status,
        Instant expiresAt,
        Duration remainingTtl,
        Optional<String> entityId,
        Optional<Instant> confirmedAt,
        Optional<Instant> releasedAt,
        Optional<String> correlationId,
        long version,
        Instant createdAt,
        Instant updatedAt) {

    public Claim {
        Objects.requireNonNull(reservationId, "reservationId must not be null");
        Objects.requireNonNull(key, "key must not be null");
        Objects.requireNonNull(status, "status must not be null");
    }

    /** Returns whether the claim was held, and neither confirmed nor over, when it was read. */
    public boolean isReservationActive() {
        return status == ClaimStatus.RESERVED;
    }

    /** Returns how long the claim would still run when it was read; never negative, and zero if it was not active. */
    public Duration getRemainingTTL() {
        return remainingTtl;
    }

    /** Does not show the value, which may be a person's e-mail address. */
    @Override
    public String toString() {
        return "Claim[" + reservationId + ", type " + type + ", " + status + ", version " + version + ']';
    }
}
