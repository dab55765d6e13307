// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.claim.ReserveResult.Failure;
import com.github.reservation.claim.ReserveResult.Success;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a value, and who does not. */
abstract class ReserveTest extends ClaimTest {

    @Test
    void concurrentReservationsForSameValue_exactlyOneSucceeds() throws Exception {
        List<ReserveResult> results = atOnce(
                () -> claims.reserve(EMAIL, ALICE, LONG), () -> otherNode.reserve(EMAIL, ALICE, LONG));

        assertThat(results).filteredOn(Success.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(Conflict.class::isInstance).first().satisfies(
                refused -> assertThat(((Conflict) refused).message()).isEqualTo("already reserved"));
    }

    @Test
    void reserveReturnsWhatIsKnownOfTheClaim() {
        Success reserved = success(claims.reserve(EMAIL, ALICE, LONG, "sign-up 7"));

        assertThat(reserved.status()).isEqualTo("success");
        assertThat(reserved.reservationId()).matches("res_[0-9a-f]{32}");
        assertThat(reserved.key()).isEqualTo("email:alice@example.com");
        assertThat(reserved.token().value()).matches("[0-9a-f]{32}");
        assertThat(reserved.version()).isOne();
        assertThat(reserved.existing()).isFalse();
        Claim claim = otherNode.getReservation(reserved.reservationId());
        assertThat(claim.expiresAt()).isEqualTo(reserved.expiresAt());
        assertThat(claim.type()).isEqualTo(EMAIL);
        assertThat(claim.value()).isEqualTo(ALICE);
        assertThat(claim.key()).isEqualTo(reserved.key());
        assertThat(claim.status()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(claim.correlationId()).hasValue("sign-up 7");
        assertThat(claim.entityId()).isEmpty();
        assertThat(claim.confirmedAt()).isEmpty();
        assertThat(claim.releasedAt()).isEmpty();
        assertThat(claim.getRemainingTTL()).isBetween(LONG.minusSeconds(30), LONG);
        assertThat(Duration.between(claim.createdAt(), claim.expiresAt())).isBetween(LONG.minusMillis(50),
                LONG.plusMillis(50));
        assertThat(claim.updatedAt()).isBetween(claim.createdAt().minusMillis(50), claim.createdAt().plusMillis(50));
    }

    @Test
    void reserveReturnsConflictWithExistingIdAndExpiry() {
        Success first = reserved(claims, ALICE, LONG);

        Conflict conflict = (Conflict) otherNode.reserve(EMAIL, ALICE, LONG);

        assertThat(conflict.status()).isEqualTo("conflict");
        assertThat(conflict.code()).isEqualTo("ALREADY_RESERVED");
        assertThat(conflict.existingReservationId()).isEqualTo(first.reservationId());
        assertThat(conflict.existingExpiresAt()).hasValue(first.expiresAt());
        assertThat(conflict.existingStatus()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(claims.getReservation(first.reservationId()).version()).as("nothing was written").isOne();
    }

    @Test
    void reservationKeyIsTypeScoped() {
        Success email = success(claims.reserve("email", ALICE, LONG));
        Success username = success(claims.reserve("username", "alice", LONG));
        Success sameValue = success(claims.reserve("login", ALICE, LONG));

        assertThat(email.key()).isEqualTo("email:alice@example.com");
        assertThat(username.key()).isEqualTo("username:alice");
        assertThat(sameValue.reservationId()).isNotEqualTo(email.reservationId());
    }

    @Test
    void sameKeyAlwaysProducesSameId() {
        Success first = reserved(claims, ALICE, LONG);
        claims.release(first.reservationId(), first.token());
        Success second = reserved(otherNode, ALICE, LONG);

        assertThat(second.reservationId())
                .isEqualTo(first.reservationId())
                .as("so that it never changes between versions")
                .isEqualTo("res_889e87fc03d0477823a739f269555750");
        assertThat(second.token()).isNotEqualTo(first.token());
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 999})
    void reserveRejectsTtlBelowOneSecond_INVALID_TTL(long millis) {
        assertFailure(claims.reserve(EMAIL, ALICE, Duration.ofMillis(millis)), ClaimErrorCode.INVALID_TTL);
    }

    @Test
    void reserveRejectsMissingTtl_INVALID_TTL() {
        assertFailure(claims.reserve(EMAIL, ALICE, null), ClaimErrorCode.INVALID_TTL);
    }

    @Test
    void reserveAcceptsExactlyOneSecondAndExactly24Hours() {
        reserved(claims, "short", Duration.ofSeconds(1));
        Success longest = reserved(claims, "long", Duration.ofHours(24));

        assertThat(claims.getReservation(longest.reservationId()).getRemainingTTL())
                .isBetween(Duration.ofHours(24).minusSeconds(30), Duration.ofHours(24));
    }

    @Test
    void reserveRejectsTtlAbove24Hours_TTL_TOO_LONG() {
        assertFailure(
                claims.reserve(EMAIL, ALICE, Duration.ofHours(24).plusMillis(1)), ClaimErrorCode.TTL_TOO_LONG);
        assertFailure(
                claims.reserve(EMAIL, ALICE, Duration.ofSeconds(Long.MAX_VALUE)), ClaimErrorCode.TTL_TOO_LONG);
    }

    record Wrong(String type, String value, ClaimErrorCode code) {

        @Override
        public String toString() {
            return code + " of " + (type == null ? 0 : type.length()) + " and " + (value == null ? 0 : value.length());
        }
    }

    static List<Wrong> wrongArguments() {
        return List.of(
                new Wrong(null, ALICE, ClaimErrorCode.INVALID_TYPE),
                new Wrong("", ALICE, ClaimErrorCode.INVALID_TYPE),
                new Wrong("e:mail", ALICE, ClaimErrorCode.INVALID_TYPE),
                new Wrong("e\0mail", ALICE, ClaimErrorCode.INVALID_TYPE),
                new Wrong("\ud83d", ALICE, ClaimErrorCode.INVALID_TYPE),
                new Wrong("x".repeat(65), ALICE, ClaimErrorCode.TYPE_TOO_LONG),
                new Wrong(EMAIL, null, ClaimErrorCode.INVALID_VALUE),
                new Wrong(EMAIL, "", ClaimErrorCode.INVALID_VALUE),
                new Wrong(EMAIL, "a\0b", ClaimErrorCode.INVALID_VALUE),
                new Wrong(EMAIL, "a\udc00b", ClaimErrorCode.INVALID_VALUE),
                new Wrong(EMAIL, "x".repeat(1_025), ClaimErrorCode.VALUE_TOO_LONG));
    }

    @ParameterizedTest
    @MethodSource("wrongArguments")
    void whatBreaksARuleGetsItsCode(Wrong wrong) {
        assertFailure(claims.reserve(wrong.type, wrong.value, LONG), wrong.code);
        assertFailure(claims.reserveIdempotent(wrong.type, wrong.value, LONG, "7"), wrong.code);
        if (wrong.type != null && wrong.value != null) {
            assertThatIllegalArgumentException().isThrownBy(() -> claims.isReserved(wrong.type, wrong.value));
            assertThatIllegalArgumentException().isThrownBy(() -> claims.isAvailable(wrong.type, wrong.value));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> claims.findReservation(ClaimQuery.byKey(wrong.type, wrong.value)));
        }
    }

    private void assertFailure(ReserveResult result, ClaimErrorCode code) {
        assertThat(result).isInstanceOf(Failure.class);
        Failure failure = (Failure) result;
        assertThat(failure.status()).isEqualTo("error");
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.message()).isNotBlank().doesNotContain(ALICE);
        assertThat(claims.isAvailable(EMAIL, ALICE)).as("nothing was written").isTrue();
    }

    @Test
    void aCorrelationIdThatNoColumnTakesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.reserve(EMAIL, ALICE, LONG, ""))
                .withMessage("correlationId must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.reserve(EMAIL, ALICE, LONG, "x".repeat(257)))
                .withMessageContaining("correlationId is too long");
        assertThatNullPointerException()
                .isThrownBy(() -> claims.reserveIdempotent(EMAIL, ALICE, LONG, null))
                .withMessage("correlationId must not be null");
    }

    @Test
    void reserveIdempotent_returnsExistingIfActive() {
        Success first = success(claims.reserveIdempotent(EMAIL, ALICE, LONG, "sign-up 7"));

        Success again = success(otherNode.reserveIdempotent(EMAIL, ALICE, LONG, "sign-up 7"));

        assertThat(first.existing()).isFalse();
        assertThat(again.existing()).isTrue();
        assertThat(again.token()).isEqualTo(first.token());
        assertThat(again.expiresAt()).isEqualTo(first.expiresAt());
        assertThat(otherNode.confirm(again.reservationId(), again.token(), "user 1").status()).isEqualTo("success");
        assertThat(claims.reserveIdempotent(EMAIL, ALICE, LONG, "sign-up 7"))
                .as("once it is confirmed")
                .isInstanceOf(Conflict.class);
    }

    @Test
    void reserveIdempotentWithOtherCorrelationId_conflicts() {
        claims.reserveIdempotent(EMAIL, ALICE, LONG, "sign-up 7");
        claims.reserve(EMAIL, "bob@example.com", LONG);

        assertThat(otherNode.reserveIdempotent(EMAIL, ALICE, LONG, "sign-up 8")).isInstanceOf(Conflict.class);
        assertThat(otherNode.reserveIdempotent(EMAIL, ALICE, LONG, "SIGN-UP 7")).isInstanceOf(Conflict.class);
        assertThat(otherNode.reserveIdempotent(EMAIL, "bob@example.com", LONG, "sign-up 7"))
                .isInstanceOf(Conflict.class);
        assertThat(otherNode.reserve(EMAIL, ALICE, LONG, "sign-up 7")).isInstanceOf(Conflict.class);
    }

    @Test
    void confirmedKeyCannotBeReservedAgain() {
        Success reserved = reserved(claims, ALICE, SHORT.multipliedBy(2));
        claims.confirm(reserved.reservationId(), reserved.token(), "user 1");
        backend.time().passTime(SHORT);
        letEnd();

        Conflict conflict = (Conflict) otherNode.reserve(EMAIL, ALICE, LONG);

        assertThat(conflict.existingStatus()).isEqualTo(ClaimStatus.CONFIRMED);
        assertThat(conflict.existingExpiresAt()).isEmpty();
        assertThat(claims.isAvailable(EMAIL, ALICE)).isFalse();
        assertThat(claims.isReserved(EMAIL, ALICE)).isFalse();
    }

    @Test
    void reserveAfterReleaseAndAfterExpiry_oneRowPerKey() {
        Success first = reserved(claims, ALICE, LONG);
        claims.release(first.reservationId(), first.token());
        Success second = reserved(otherNode, ALICE, SHORT);
        letEnd();
        Success third = reserved(claims, ALICE, SHORT);
        letEnd();
        claims.expireReservations(100);
        Success fourth = success(otherNode.reserve(EMAIL, ALICE, LONG, "the fourth"));

        assertThat(List.of(second.version(), third.version(), fourth.version())).containsExactly(3L, 4L, 6L);
        Claim claim = claims.getReservation(first.reservationId());
        assertThat(claim.status()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(claim.version()).isEqualTo(6);
        assertThat(claim.releasedAt()).as("of the first owner").isEmpty();
        assertThat(claim.correlationId()).hasValue("the fourth");
        assertThat(claims.reserve(EMAIL, ALICE, LONG)).isInstanceOf(Conflict.class);
    }

    @Test
    void whateverDiffersInAByteIsAnotherValue() {
        for (String value : List.of("alice", "Alice", "ALICE", "alice ", " alice", "al\u00efce", "ali\u0308ce", "alıce",
                "alice\u200b", "\ud83d\ude00", "\ud83d\ude01", "Straße", "Strasse", "%", "_", "'", "\\", ":", "::")) {
            Success reserved = reserved(claims, value, LONG);
            assertThat(claims.getReservation(reserved.reservationId()).value()).isEqualTo(value);
            assertThat(otherNode.reserve(EMAIL, value, LONG)).as(value).isInstanceOf(Conflict.class);
        }
    }

    /** Longer than an entry of an index can be on some databases, and not to be compressed. */
    @Test
    void theLongestValuesAreUniqueToTheLastCharacter() {
        Random random = new Random(42);
        StringBuilder text = new StringBuilder();
        while (text.length() < 1_023) {
            text.append((char) (0x4e00 + random.nextInt(20_000)));
        }
        String type = "\u7a2e".repeat(64);

        Success one = success(claims.reserve(type, text + "1", LONG));
        Success other = success(claims.reserve(type, text + "2", LONG));

        assertThat(claims.reserve(type, text + "1", LONG)).isInstanceOf(Conflict.class);
        assertThat(claims.getReservation(one.reservationId()).key()).isEqualTo(one.key());
        assertThat(claims.confirm(one.reservationId(), one.token(), "x".repeat(256)).status()).isEqualTo("success");
        assertThat(claims.release(other.reservationId(), other.token()).status()).isEqualTo("success");
    }

    @Test
    void expiryAtExactlyNow_isExpiredEverywhere() {
        assumeTrue(backend.time().isInManualTime(), "Only a clock that stands still can show it");
        Success reserved = reserved(claims, ALICE, SHORT);
        backend.time().passTime(SHORT.minusNanos(1_000));
        assertThat(claims.isReserved(EMAIL, ALICE)).as("a microsecond before").isTrue();
        assertThat(claims.expireReservations(10)).isZero();

        backend.time().passTime(Duration.ofNanos(1_000));

        assertThat(claims.isReserved(EMAIL, ALICE)).isFalse();
        assertThat(claims.isAvailable(EMAIL, ALICE)).isTrue();
        Claim claim = claims.getReservation(reserved.reservationId());
        assertThat(claim.status()).isEqualTo(ClaimStatus.EXPIRED);
        assertThat(claim.getRemainingTTL()).isZero();
        assertThat(((ConfirmResult.Failure) claims.confirm(reserved.reservationId(), reserved.token(), "1")).code())
                .isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_EXPIRED);
        assertThat(claims.expireReservations(10)).isOne();
        reserved(otherNode, ALICE, SHORT);
    }

    /** The nodes have stores and pools of their own, and all threads set off together in every tenth round. */
    @Test
    void thirtyTwoThreadsOnFourNodesWantTheSameValue_exactlyOneGetsItEachTime() throws Exception {
        List<Claims> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(node(backend.newStore().get()));
        }
        AtomicIntegerArray winners = new AtomicIntegerArray(backend.rounds());
        CyclicBarrier start = new CyclicBarrier(32);
        String prefix = newValue();
        List<Callable<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            Claims node = nodes.get(i % nodes.size());
            threads.add(() -> {
                for (int j = 0; j < winners.length(); j++) {
                    if (j % 10 == 0) {
                        start.await(1, TimeUnit.MINUTES);
                    }
                    if (hasIt(node.reserve(EMAIL, prefix + j, LONG))) {
                        winners.incrementAndGet(j);
                    }
                }
                return null;
            });
        }

        atOnce(threads);

        for (int i = 0; i < winners.length(); i++) {
            assertThat(winners.get(i)).as("round " + i).isOne();
        }
    }

    private static boolean hasIt(ReserveResult result) {
        return switch (result) {
            case Success success -> true;
            case Conflict conflict -> false;
            case Failure failure -> throw new AssertionError(failure);
        };
    }
}
