// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;

/** The answer of {@code release} and {@code releaseConfirmed}. */
public sealed interface ReleaseResult {

    /** Returns {@code success} or {@code error}. */
    default String status() {
        return this instanceof Success ? "success" : "error";
    }

    /** The value is free. */
    record Success(String reservationId, Instant releasedAt) implements ReleaseResult {}

    /** The claim was not released by this call. A caller that only cancels can ignore it. */
    record Failure(ClaimErrorCode code, String message) implements ReleaseResult {}
}
