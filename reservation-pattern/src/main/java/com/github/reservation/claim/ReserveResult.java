// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;
import java.util.Optional;

/** The answer of {@link Claims#reserve} and {@link Claims#reserveIdempotent}. */
public sealed interface ReserveResult {

    /** Returns {@code success}, {@code conflict} or {@code error}. */
    default String status() {
        return switch (this) {
            case Success success -> "success";
            case Conflict conflict -> "conflict";
            case Failure failure -> "error";
        };
    }

    /**
     * The caller holds the value until {@code expiresAt}.
     *
     * @param key {@code type:value}, after the normaliser of the type
     * @param expiresAt when the claim ends, by the store's clock
     * @param token the proof of ownership, for {@code confirm}, {@code release} and {@code extend}
     * @param existing whether {@code reserveIdempotent} found the caller's claim of an earlier call
     */
    record Success(
            String reservationId, String key, Instant expiresAt, long version, ClaimToken token, boolean existing)
            implements ReserveResult {

        /** Shows neither the value nor the token. */
        @Override
        public String toString() {
            return "Success[" + reservationId + ", until " + expiresAt + (existing ? ", existing]" : "]");
        }
    }

    /**
     * Another caller holds the value, or it belongs to an entity. Nothing was written.
     *
     * @param existingExpiresAt when the value may become free, by the store's clock; empty if the claim is confirmed
     * @param existingStatus {@link ClaimStatus#RESERVED} or {@link ClaimStatus#CONFIRMED}
     */
    record Conflict(String existingReservationId, Optional<Instant> existingExpiresAt, ClaimStatus existingStatus)
            implements ReserveResult {

        /** Returns {@code ALREADY_RESERVED}. */
        public String code() {
            return "ALREADY_RESERVED";
        }

        /** Returns {@code already reserved}. */
        public String message() {
            return "already reserved";
        }
    }

    /** An argument breaks its rule. Nothing was sent to the store. */
    record Failure(ClaimErrorCode code, String message) implements ReserveResult {}
}
