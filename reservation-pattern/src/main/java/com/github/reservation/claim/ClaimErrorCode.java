// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

/** Why a call on {@link Claims} was refused. */
public enum ClaimErrorCode {
    /** The TTL is missing or shorter than {@link Claims#MIN_TTL}. */
    INVALID_TTL,
    /** The TTL is longer than {@link Claims#MAX_TTL}. */
    TTL_TOO_LONG,
    /** The type is missing or empty, contains a colon or NUL, or is not valid Unicode. */
    INVALID_TYPE,
    /** The type is longer than {@link Claims#MAX_TYPE_LENGTH}. */
    TYPE_TOO_LONG,
    /** The value is missing or empty, contains NUL, or is not valid Unicode. */
    INVALID_VALUE,
    /** The value is longer than {@link Claims#MAX_VALUE_LENGTH}. */
    VALUE_TOO_LONG,
    /** There is no claim of this id. */
    RESERVATION_NOT_FOUND,
    /**
     * The claim ended before it was confirmed, or the token is not its current one. Both look the same to the caller, so that a stranger
     * learns nothing about a claim from its answer to a wrong token.
     */
    RESERVATION_ALREADY_EXPIRED,
    /** The claim belongs to an entity. */
    RESERVATION_ALREADY_CONFIRMED,
    /** The claim was given back. */
    RESERVATION_ALREADY_RELEASED
}
