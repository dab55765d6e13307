// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.ClaimErrorCode;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ExtendResult;
import com.github.reservation.claim.ReleaseResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.StoredClaim;
import java.util.Optional;

/** Says to callers what became of their claims. A message names a claim by its id, never by its value. */
final class ClaimAnswers {

    private ClaimAnswers() {}

    static ReserveResult reserved(NewClaim wanted, ReserveOutcome.Granted granted) {
        return new ReserveResult.Success(
                wanted.reservationId(),
                wanted.key(),
                granted.expiresAt(),
                granted.version(),
                new ClaimToken(wanted.token()),
                false);
    }

    /** Returns the success of an earlier call, to a caller that has turned out to be the owner. */
    static ReserveResult reservedBefore(NewClaim wanted, ReserveOutcome.Refused own) {
        return new ReserveResult.Success(
                wanted.reservationId(),
                wanted.key(),
                own.expiresAt(),
                own.version(),
                new ClaimToken(own.token()),
                true);
    }

    static ReserveResult conflict(NewClaim wanted, ReserveOutcome.Refused refused) {
        return new ReserveResult.Conflict(
                wanted.reservationId(),
                refused.status() == ClaimStatus.RESERVED ? Optional.of(refused.expiresAt()) : Optional.empty(),
                refused.status());
    }

    static ConfirmResult notConfirmed(ClaimRef claim, Optional<StoredClaim> found) {
        ClaimErrorCode code = codeOf(claim, found);
        return new ConfirmResult.Failure(
                code,
                message(code, claim),
                found.filter(stored -> claim.admits(stored.token())).flatMap(stored -> stored.claim().entityId()));
    }

    static ReleaseResult notReleased(ClaimRef claim, Optional<StoredClaim> found) {
        ClaimErrorCode code = codeOf(claim, found);
        return new ReleaseResult.Failure(code, message(code, claim));
    }

    /** Returns the answer for a value that is not confirmed for the entity. */
    static ReleaseResult notReleased(ClaimRef claim, String entityId, Optional<StoredClaim> found) {
        ClaimErrorCode code = found.filter(stored -> isReleasedFor(entityId, stored)).isPresent()
                ? ClaimErrorCode.RESERVATION_ALREADY_RELEASED
                : ClaimErrorCode.RESERVATION_NOT_FOUND;
        return new ReleaseResult.Failure(code, message(code, claim));
    }

    static ExtendResult notExtended(ClaimRef claim, Optional<StoredClaim> found) {
        ClaimErrorCode code = codeOf(claim, found);
        return new ExtendResult.Failure(code, message(code, claim));
    }

    /** Returns whether the claim belonged to the entity, and was released. */
    static boolean isReleasedFor(String entityId, StoredClaim stored) {
        return stored.claim().status() == ClaimStatus.RELEASED
                && stored.claim().entityId().filter(entityId::equals).isPresent();
    }

    /** Says why a claim was not changed. A wrong token gets the same answer whatever became of the claim. */
    private static ClaimErrorCode codeOf(ClaimRef claim, Optional<StoredClaim> found) {
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

    private static String message(ClaimErrorCode code, ClaimRef claim) {
        String id = claim.reservationId();
        return switch (code) {
            case RESERVATION_NOT_FOUND ->
                ClaimKey.isId(id)
                        ? "There is no such claim: " + id
                        : "There is no such claim: reservationId is not one that reserve has returned";
            case RESERVATION_ALREADY_EXPIRED -> "The claim is over, or is not the caller's: " + id;
            case RESERVATION_ALREADY_CONFIRMED -> "The claim was confirmed before: " + id;
            case RESERVATION_ALREADY_RELEASED -> "The claim was released before: " + id;
            case INVALID_TTL, TTL_TOO_LONG, INVALID_TYPE, TYPE_TOO_LONG, INVALID_VALUE, VALUE_TOO_LONG ->
                throw new IllegalArgumentException("Not the state of a claim: " + code);
        };
    }
}
