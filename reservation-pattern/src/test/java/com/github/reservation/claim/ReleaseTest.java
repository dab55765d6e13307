// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.reservation.claim.ReleaseResult.Failure;
import com.github.reservation.claim.ReserveResult.Success;
import org.junit.jupiter.api.Test;

/** A value is given back, and free at once. */
abstract class ReleaseTest extends ClaimTest {

    @Test
    void userCancelsRegistration_valueImmediatelyAvailable() {
        Success reserved = reserved(claims, ALICE, LONG);

        ReleaseResult.Success released =
                (ReleaseResult.Success) claims.release(reserved.reservationId(), reserved.token());

        assertThat(released.status()).isEqualTo("success");
        assertThat(otherNode.isAvailable(EMAIL, ALICE)).isTrue();
        Claim claim = claims.getReservation(reserved.reservationId());
        assertThat(claim.status()).isEqualTo(ClaimStatus.RELEASED);
        assertThat(claim.releasedAt()).hasValue(released.releasedAt());
        reserved(otherNode, ALICE, LONG);
    }

    @Test
    void releaseOfConfirmedReleasedExpired_returnsErrorCodeAndDoesNotThrow() {
        Success confirmed = reserved(claims, "confirmed", LONG);
        claims.confirm(confirmed.reservationId(), confirmed.token(), "user 1");
        Success released = reserved(claims, "released", LONG);
        claims.release(released.reservationId());
        Success expired = lapsed("expired");

        assertThat(code(claims.release(confirmed.reservationId(), confirmed.token())))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_CONFIRMED);
        assertThat(code(claims.release(released.reservationId(), released.token())))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_RELEASED);
        assertThat(code(claims.release(expired.reservationId(), expired.token())))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(code(claims.release(expired.reservationId())))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(code(claims.release("res_" + "0".repeat(32))))
                .isEqualTo(ClaimErrorCode.RESERVATION_NOT_FOUND);
    }

    @Test
    void lateReleaseOfExpiredIncarnationDoesNotTouchNewOwner() {
        Success alices = lapsed(ALICE);
        Success bobs = reserved(otherNode, ALICE, LONG);

        assertThat(code(claims.release(alices.reservationId(), alices.token())))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(claims.extend(alices.reservationId(), alices.token(), LONG).status()).isEqualTo("error");

        assertThat(claims.getReservation(bobs.reservationId()).isReservationActive()).isTrue();
        assertThat(otherNode.confirm(bobs.reservationId(), bobs.token(), "bob").status()).isEqualTo("success");
    }

    @Test
    void gracefulCancellationFlow() {
        Success reserved = reserved(claims, ALICE, LONG);

        // The user closes the form, and the browser sends it twice.
        claims.release(reserved.reservationId(), reserved.token());
        ReleaseResult again = otherNode.release(reserved.reservationId(), reserved.token());

        assertThat(code(again)).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_RELEASED);
        assertThat(claims.isAvailable(EMAIL, ALICE)).isTrue();
    }

    @Test
    void theValueOfADeletedEntityCanBeFreed() {
        Success reserved = reserved(claims, ALICE, LONG);
        claims.confirm(reserved.reservationId(), reserved.token(), "user 1");

        assertThat(code(claims.releaseConfirmed(reserved.key(), "user 2")))
                .as("of another entity")
                .isEqualTo(ClaimErrorCode.RESERVATION_NOT_FOUND);
        assertThat(code(claims.releaseConfirmed(reserved.key(), "USER 1")))
                .isEqualTo(ClaimErrorCode.RESERVATION_NOT_FOUND);
        assertThat(otherNode.releaseConfirmed(reserved.key(), "user 1").status()).isEqualTo("success");
        assertThat(code(claims.releaseConfirmed(reserved.key(), "user 1")))
                .as("so that a retry recognises itself")
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_RELEASED);

        assertThat(claims.findByEntityId("user 1")).isEmpty();
        Success next = reserved(claims, ALICE, LONG);
        assertThat(code(claims.releaseConfirmed(next.key(), "user 1")))
                .as("it is not confirmed")
                .isEqualTo(ClaimErrorCode.RESERVATION_NOT_FOUND);
        assertThat(claims.isReserved(EMAIL, ALICE)).isTrue();
    }

    @Test
    void whatIsNoKeyIsToldWhatAKeyIs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.releaseConfirmed(ALICE, "user 1"))
                .withMessage("key must be like type:value, but has no colon");
    }

    private static ClaimErrorCode code(ReleaseResult result) {
        assertThat(result.status()).isEqualTo("error");
        return ((Failure) result).code();
    }
}
