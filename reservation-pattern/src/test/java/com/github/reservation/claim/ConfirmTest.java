// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.claim.ConfirmResult.Failure;
import com.github.reservation.claim.ReserveResult.Success;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A claim becomes an entity's, once, and only its owner can do that. */
abstract class ConfirmTest extends ClaimTest {

    private static final ClaimToken STRANGERS = new ClaimToken("0".repeat(32));

    @Test
    void confirmLinksReservationToEntity() {
        Success reserved = reserved(claims, ALICE, LONG);

        ConfirmResult.Success confirmed =
                (ConfirmResult.Success) otherNode.confirm(reserved.reservationId(), reserved.token(), "user 1");

        assertThat(confirmed.status()).isEqualTo("success");
        assertThat(confirmed.reservationId()).isEqualTo(reserved.reservationId());
        assertThat(confirmed.entityId()).isEqualTo("user 1");
        Claim claim = claims.getReservation(reserved.reservationId());
        assertThat(claim.status()).isEqualTo(ClaimStatus.CONFIRMED);
        assertThat(claim.entityId()).hasValue("user 1");
        assertThat(claim.confirmedAt()).hasValue(confirmed.confirmedAt());
        assertThat(claim.version()).isEqualTo(2);
        assertThat(claim.isReservationActive()).isFalse();
        assertThat(claim.getRemainingTTL()).isZero();
        assertThat(Duration.between(claim.createdAt(), confirmed.confirmedAt()))
                .isBetween(Duration.ofMillis(-50), Duration.ofSeconds(30));
    }

    @Test
    void anIdThatIsNoneIsRefusedInWords() {
        assertThat(claims.confirm("alice", STRANGERS, "user 1"))
                .isInstanceOfSatisfying(Failure.class, failure -> assertThat(failure.message())
                        .isEqualTo("There is no such claim: reservationId is not one that reserve has returned"));
    }

    @Test
    void confirmUnknown_RESERVATION_NOT_FOUND() {
        for (String id : List.of("res_" + "0".repeat(32), "", "alice", "res_\0", "x".repeat(10_000))) {
            assertThat(code(claims.confirm(id, STRANGERS, "user 1"))).isEqualTo(ClaimErrorCode.RESERVATION_NOT_FOUND);
            assertThat(code(claims.confirm(id, "user 1"))).isEqualTo(ClaimErrorCode.RESERVATION_NOT_FOUND);
        }
    }

    @Test
    void confirmExpired_RESERVATION_ALREADY_EXPIRED() {
        Success reserved = lapsed(ALICE);

        assertThat(code(claims.confirm(reserved.reservationId(), reserved.token(), "user 1")))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(code(claims.confirm(reserved.reservationId(), "user 1")))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        claims.expireReservations(100);
        assertThat(code(claims.confirm(reserved.reservationId(), reserved.token(), "user 1")))
                .as("once it is marked")
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(claims.isAvailable(EMAIL, ALICE)).isTrue();
    }

    @Test
    void confirmTwice_RESERVATION_ALREADY_CONFIRMED() {
        Success reserved = reserved(claims, ALICE, LONG);
        claims.confirm(reserved.reservationId(), reserved.token(), "user 1");

        Failure again = (Failure) otherNode.confirm(reserved.reservationId(), reserved.token(), "user 1");
        Failure another = (Failure) otherNode.confirm(reserved.reservationId(), "user 2");

        assertThat(again.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_CONFIRMED);
        assertThat(again.existingEntityId()).as("so that a retry recognises itself").hasValue("user 1");
        assertThat(another.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_CONFIRMED);
        assertThat(claims.getReservation(reserved.reservationId()).entityId()).hasValue("user 1");
    }

    @Test
    void confirmReleased_RESERVATION_ALREADY_RELEASED() {
        Success reserved = reserved(claims, ALICE, LONG);
        claims.release(reserved.reservationId(), reserved.token());

        assertThat(code(claims.confirm(reserved.reservationId(), reserved.token(), "user 1")))
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_RELEASED);
    }

    @Test
    void lateConfirmOfExpiredIncarnationDoesNotTouchNewOwner() {
        Success alices = lapsed(ALICE);
        Success bobs = reserved(otherNode, ALICE, LONG);

        Failure late = (Failure) claims.confirm(alices.reservationId(), alices.token(), "alice");

        assertThat(late.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(claims.getReservation(bobs.reservationId()).status()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(otherNode.confirm(bobs.reservationId(), bobs.token(), "bob").status()).isEqualTo("success");
        Failure later = (Failure) claims.confirm(alices.reservationId(), alices.token(), "alice");
        assertThat(later.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(later.existingEntityId()).as("is none of her business").isEmpty();
    }

    /** Whatever became of the claim: a stranger who has computed the id learns nothing. */
    @Test
    void aWrongTokenGetsTheSameAnswerInEveryState() {
        Success active = reserved(claims, "active", LONG);
        Success confirmed = reserved(claims, "confirmed", LONG);
        claims.confirm(confirmed.reservationId(), confirmed.token(), "user 1");
        Success released = reserved(claims, "released", LONG);
        claims.release(released.reservationId(), released.token());
        Success over = reserved(claims, "over", SHORT);
        Success alsoOver = reserved(claims, "also over", SHORT);
        letEnd();
        assertThat(claims.expireReservations(1)).as("one of them is marked as expired").isOne();

        for (Success claim : List.of(active, confirmed, released, over, alsoOver)) {
            for (ClaimToken token : List.of(STRANGERS, active == claim ? confirmed.token() : active.token(),
                    new ClaimToken(""), new ClaimToken("\0"), new ClaimToken("x".repeat(10_000)),
                    new ClaimToken(claim.token().value().toUpperCase()))) {
                Failure refused = (Failure) claims.confirm(claim.reservationId(), token, "mallory");
                assertThat(refused.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
                assertThat(refused.existingEntityId()).isEmpty();
                assertThat(((ReleaseResult.Failure) claims.release(claim.reservationId(), token)).code())
                        .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
                assertThat(((ExtendResult.Failure) claims.extend(claim.reservationId(), token, LONG)).code())
                        .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
            }
        }
        assertThat(claims.getReservation(active.reservationId()).version()).as("untouched").isOne();
    }

    @Test
    void withoutATokenWhateverIsActiveIsConfirmed() {
        Success reserved = reserved(claims, ALICE, LONG);

        assertThat(otherNode.confirm(reserved.reservationId(), "user 1").status()).isEqualTo("success");
    }

    @Test
    void anEntityIdThatNoColumnTakesIsRefused() {
        Success reserved = reserved(claims, ALICE, LONG);
        String id = reserved.reservationId();

        for (String entity : List.of("", "a\0b", "x".repeat(257))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> claims.confirm(id, reserved.token(), entity))
                    .withMessageStartingWith("entityId ");
        }
        assertThatNullPointerException().isThrownBy(() -> claims.confirm(id, reserved.token(), null));
        assertThatNullPointerException().isThrownBy(() -> claims.confirm(id, (ClaimToken) null, "user 1"));
        assertThatNullPointerException().isThrownBy(() -> claims.confirm(null, reserved.token(), "user 1"));
        assertThat(claims.isReserved(EMAIL, ALICE)).isTrue();
    }

    @Test
    void aClaimCanBeExtendedWhileItIsActive() {
        Success reserved = reserved(claims, ALICE, SHORT.multipliedBy(2));

        ExtendResult.Success extended =
                (ExtendResult.Success) otherNode.extend(reserved.reservationId(), reserved.token(), LONG);
        backend.time().passTime(SHORT);
        letEnd();

        assertThat(extended.status()).isEqualTo("success");
        assertThat(extended.expiresAt()).isAfter(reserved.expiresAt());
        Claim claim = claims.getReservation(reserved.reservationId());
        assertThat(claim.expiresAt()).isEqualTo(extended.expiresAt());
        assertThat(claim.isReservationActive()).isTrue();
        assertThat(claims.confirm(reserved.reservationId(), reserved.token(), "user 1").status())
                .isEqualTo("success");
    }

    @Test
    void anExtensionNeverShortens() {
        Success reserved = reserved(claims, ALICE, LONG);

        ExtendResult.Success extended =
                (ExtendResult.Success) claims.extend(reserved.reservationId(), reserved.token(), SHORT);

        assertThat(extended.expiresAt()).isEqualTo(reserved.expiresAt());
    }

    @Test
    void whatIsOverStaysOver() {
        Success reserved = lapsed(ALICE);

        ExtendResult.Failure refused =
                (ExtendResult.Failure) claims.extend(reserved.reservationId(), reserved.token(), LONG);

        assertThat(refused.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(claims.isAvailable(EMAIL, ALICE)).isTrue();
    }

    @Test
    void anExtensionKeepsTheRulesOfTtls() {
        Success reserved = reserved(claims, ALICE, LONG);

        assertThat(extensionCode(reserved, null)).isEqualTo(ClaimErrorCode.INVALID_TTL);
        assertThat(extensionCode(reserved, Duration.ofMillis(999))).isEqualTo(ClaimErrorCode.INVALID_TTL);
        assertThat(extensionCode(reserved, Duration.ofHours(24).plusMillis(1))).isEqualTo(ClaimErrorCode.TTL_TOO_LONG);
    }

    private ClaimErrorCode extensionCode(Success reserved, Duration ttl) {
        return ((ExtendResult.Failure) claims.extend(reserved.reservationId(), reserved.token(), ttl)).code();
    }

    @Test
    void theClaimsOfAnEntityCanBeFound() {
        for (String value : List.of("one", "two")) {
            Success reserved = reserved(claims, value, LONG);
            claims.confirm(reserved.reservationId(), reserved.token(), "user 1");
        }
        Success another = reserved(claims, "three", LONG);
        claims.confirm(another.reservationId(), another.token(), "USER 1");

        assertThat(otherNode.findByEntityId("user 1")).extracting(Claim::value).containsExactlyInAnyOrder("one", "two");
        assertThat(otherNode.findByEntityId("user 2")).isEmpty();
    }

    @Test
    void confirmRacingReleaseRacingExtend_oneEndsTheClaim() throws Exception {
        for (int i = 0; i < backend.rounds() / 10; i++) {
            Success reserved = reserved(claims, newValue(), LONG);
            String id = reserved.reservationId();
            Callable<Object> confirm = () -> claims.confirm(id, reserved.token(), "user 1");
            Callable<Object> release = () -> otherNode.release(id, reserved.token());
            Callable<Object> extend = () -> claims.extend(id, reserved.token(), LONG.plusMinutes(1));

            List<Object> results = atOnce(confirm, release, extend);

            boolean confirmed = results.get(0) instanceof ConfirmResult.Success;
            boolean released = results.get(1) instanceof ReleaseResult.Success;
            assertThat(confirmed).as("one of them, not both").isNotEqualTo(released);
            Claim claim = claims.getReservation(id);
            assertThat(claim.status()).isEqualTo(confirmed ? ClaimStatus.CONFIRMED : ClaimStatus.RELEASED);
            boolean extended = results.get(2) instanceof ExtendResult.Success;
            assertThat(claim.version()).as("each change counts").isEqualTo(extended ? 3 : 2);
            Instant firstEnd = reserved.expiresAt();
            assertThat(claim.expiresAt().isAfter(firstEnd)).isEqualTo(extended);
        }
    }

    private static ClaimErrorCode code(ConfirmResult result) {
        assertThat(result.status()).isEqualTo("error");
        return ((Failure) result).code();
    }
}
