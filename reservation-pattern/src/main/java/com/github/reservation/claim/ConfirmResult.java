// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;
import java.util.Optional;

/** The answer of {@code confirm}. */
public sealed interface ConfirmResult {

    /** Returns {@code success} or {@code error}. */
    default String status() {
        return this instanceof Success ? "success" : "error";
    }

    /** The value belongs to the entity. */
    record Success(String reservationId, String entityId, Instant confirmedAt) implements ConfirmResult {}

    /**
     * The claim was not confirmed by this call. Roll back what was to commit with it.
     *
     * @param existingEntityId the entity that the caller's own claim belongs to already, so that a retry recognises itself;
     *     without a token, that of whatever claim there is
     */
    record Failure(ClaimErrorCode code, String message, Optional<String> existingEntityId) implements ConfirmResult {}
}
