// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;

/** The answer of {@code extend}. */
public sealed interface ExtendResult {

    /** Returns {@code success} or {@code error}. */
    default String status() {
        return this instanceof Success ? "success" : "error";
    }

    /**
     * The claim runs on.
     *
     * @param expiresAt when it ends now, by the store's clock
     */
    record Success(String reservationId, Instant expiresAt) implements ExtendResult {}

    /** The claim ends when it was to end before, or is over. */
    record Failure(ClaimErrorCode code, String message) implements ExtendResult {}
}
