// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

/** The state of a {@link Claim}. */
public enum ClaimStatus {
    /** Held until its end: nobody else can reserve the value. */
    RESERVED,
    /** Belongs to an entity for good: nobody else can reserve the value. */
    CONFIRMED,
    /** Given back: the value is free. */
    RELEASED,
    /** Ended without being confirmed: the value is free. */
    EXPIRED
}
