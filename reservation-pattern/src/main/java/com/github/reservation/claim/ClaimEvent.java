// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;

/** A change of a claim that was committed. See {@link ClaimListener}. */
public sealed interface ClaimEvent permits ClaimReserved, ClaimConfirmed, ClaimReleased, ClaimExpired {

    /** Returns the id of the claim. */
    String reservationId();

    /** Returns the type of the claimed value. */
    String type();

    /** Returns when it happened, by the store's clock. */
    Instant occurredAt();
}
