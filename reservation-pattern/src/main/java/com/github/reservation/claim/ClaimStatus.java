// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

/** The state of a {@link Claim}. */
public enum ClaimStatus {
    /** Held until its end: no other caller can reserve the value. */
    RESERVED,
    /** Belongs to an entity for good: no other caller can reserve the value. */
    CONFIRMED,
    /** Released: the value is free. */
    RELEASED,
    /** Ended without being confirmed: the value is free. */
    EXPIRED
}
