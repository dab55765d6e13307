// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.ClaimErrorCode;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.StoredClaim;
import java.util.Optional;

/** Says why a claim could not be changed: by its id, never by its value. */
final class Refusals {

    private Refusals() {}

    /** Returns the code. A wrong token gets the same one whatever became of the claim. */
    static ClaimErrorCode code(ClaimRef claim, Optional<StoredClaim> found) {
        if (found.isEmpty()) {
            return ClaimErrorCode.RESERVATION_NOT_FOUND;
        }
        if (!claim.admits(found.get().token())) {
            return ClaimErrorCode.RESERVATION_ALREADY_EXPIRED;
        }
        return switch (found.get().claim().status()) {
            case CONFIRMED -> ClaimErrorCode.RESERVATION_ALREADY_CONFIRMED;
            case RELEASED -> ClaimErrorCode.RESERVATION_ALREADY_RELEASED;
            case EXPIRED -> ClaimErrorCode.RESERVATION_ALREADY_EXPIRED;
            case RESERVED -> throw new IllegalStateException("The store refused to change an active claim");
        };
    }

    /** Returns the code for a value that is not confirmed for the entity. */
    static ClaimErrorCode codeOfConfirmed(String entityId, Optional<StoredClaim> found) {
        return found.filter(stored -> isReleasedFor(entityId, stored)).isPresent()
                ? ClaimErrorCode.RESERVATION_ALREADY_RELEASED
                : ClaimErrorCode.RESERVATION_NOT_FOUND;
    }

    /** Returns whether the claim belonged to the entity, and was released. */
    static boolean isReleasedFor(String entityId, StoredClaim stored) {
        return switch (stored.claim().status()) {
            case RELEASED -> stored.claim().entityId().filter(entityId::equals).isPresent();
            case RESERVED, CONFIRMED, EXPIRED -> false;
        };
    }

    static String message(ClaimErrorCode code, String reservationId) {
        return switch (code) {
            case RESERVATION_NOT_FOUND ->
                ClaimKey.isId(reservationId)
                        ? "There is no such claim: " + reservationId
                        : "There is no such claim: reservationId is not one that reserve has returned";
            case RESERVATION_ALREADY_EXPIRED -> "The claim is over, or is not the caller's: " + reservationId;
            case RESERVATION_ALREADY_CONFIRMED -> "The claim was confirmed before: " + reservationId;
            case RESERVATION_ALREADY_RELEASED -> "The claim was released before: " + reservationId;
            case INVALID_TTL, TTL_TOO_LONG, INVALID_TYPE, TYPE_TOO_LONG, INVALID_VALUE, VALUE_TOO_LONG ->
                throw new IllegalArgumentException("Not the state of a claim: " + code);
        };
    }
}
