// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static com.github.reservation.claim.ClaimStatus.CONFIRMED;
import static com.github.reservation.claim.ClaimStatus.EXPIRED;
import static com.github.reservation.claim.ClaimStatus.RELEASED;
import static com.github.reservation.claim.ClaimStatus.RESERVED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.reservation.Registration;
import com.github.reservation.claim.ReserveResult.Success;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What is over is free at once; a sweep writes it down, and listeners learn of it once. */
abstract class ExpireTest extends ClaimTest {

    /** How long before the end of its claim a racing confirmation sets off at most. */
    private static final Duration EARLIEST = Duration.ofMillis(50);

    @Test
    void reservationExpiresAfterTtl_isMarkedExpiredAndValueAvailable() {
        Success reserved = reserved(claims, ALICE, SHORT);
        reserved(claims, newValue(), LONG);
        letEnd();

        assertThat(claims.isAvailable(EMAIL, ALICE)).as("before any sweep").isTrue();
        assertThat(claims.expireReservations(100)).as("for the other one it is too early").isOne();

        Claim claim = claims.getReservation(reserved.reservationId());
        assertThat(claim.status()).isEqualTo(ClaimStatus.EXPIRED);
        assertThat(claim.version()).as("it was written down").isEqualTo(2);
        assertThat(claims.isAvailable(EMAIL, ALICE)).isTrue();
    }

    @Test
    void lapsedUnsweptReservation_readsAsExpired() {
        Success reserved = lapsed(ALICE);

        Claim claim = otherNode.getReservation(reserved.reservationId());
        assertThat(claim.status()).isEqualTo(ClaimStatus.EXPIRED);
        assertThat(claim.isReservationActive()).isFalse();
        assertThat(claim.version()).as("nothing was written").isOne();
        assertThat(otherNode.isReserved(EMAIL, ALICE)).isFalse();
    }

    @Test
    void isReserved_trueOnlyWhileActive() {
        assertThat(claims.isReserved(EMAIL, "never")).isFalse();
        assertThat(claims.isAvailable(EMAIL, "never")).isTrue();
        Success confirmed = reserved(claims, "confirmed", LONG);
        assertThat(otherNode.isReserved(EMAIL, "confirmed")).isTrue();
        assertThat(otherNode.isAvailable(EMAIL, "confirmed")).isFalse();
        claims.confirm(confirmed.reservationId(), confirmed.token(), "user 1");
        Success released = reserved(claims, "released", LONG);
        claims.release(released.reservationId(), released.token());
        lapsed("expired");

        for (String value : List.of("confirmed", "released", "expired")) {
            assertThat(claims.isReserved(EMAIL, value)).as(value).isFalse();
        }
        assertThat(claims.isAvailable(EMAIL, "confirmed")).isFalse();
    }

    @Test
    void findReservation_byIdAndByKey_activeOnly() {
        Success active = reserved(claims, "active", LONG);
        Success over = lapsed("over");
        ClaimQuery byId = ClaimQuery.byId(over.reservationId());
        ClaimQuery byKey = ClaimQuery.byKey(EMAIL, "over");

        assertThat(claims.findReservation(byId)).hasValueSatisfying(
                claim -> assertThat(claim.value()).isEqualTo("over"));
        assertThat(claims.findReservation(byKey)).isEqualTo(claims.findReservation(byId));
        assertThat(claims.findReservation(byId.activeOnly())).isEmpty();
        assertThat(claims.findReservation(byKey.activeOnly())).isEmpty();
        assertThat(claims.findReservation(ClaimQuery.byId(active.reservationId()).activeOnly())).isPresent();
        assertThat(claims.findReservation(ClaimQuery.byKey(EMAIL, "active").activeOnly())).isPresent();
        assertThat(claims.findReservation(ClaimQuery.byKey(EMAIL, "unknown"))).isEmpty();
        assertThat(claims.findReservation(ClaimQuery.byId("unknown"))).isEmpty();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> claims.getReservation("unknown"));
    }

    @Test
    void countByStatus_countsWhatIsOverAsExpired() {
        assertThat(claims.countByStatus()).containsOnly(
                entry(RESERVED, 0L), entry(CONFIRMED, 0L), entry(RELEASED, 0L), entry(EXPIRED, 0L));
        reserved(claims, newValue(), SHORT);
        reserved(claims, newValue(), SHORT);
        reserved(claims, newValue(), SHORT);
        reserved(claims, newValue(), LONG);
        Success confirmed = reserved(claims, newValue(), LONG);
        claims.confirm(confirmed.reservationId(), confirmed.token(), "user 1");
        for (int i = 0; i < 2; i++) {
            Success released = reserved(claims, newValue(), LONG);
            claims.release(released.reservationId(), released.token());
        }
        letEnd();
        assertThat(claims.expireReservations(1)).as("one of three is marked").isOne();

        assertThat(otherNode.countByStatus()).containsOnly(
                entry(RESERVED, 1L), entry(CONFIRMED, 1L), entry(RELEASED, 2L), entry(EXPIRED, 3L));
    }

    @Test
    void expirationLag_isThatOfTheOldestClaimThatIsOverAndNotMarked() {
        reserved(claims, ALICE, LONG);
        assertThat(claims.expirationLag()).as("nothing is over").isZero();
        reserved(claims, newValue(), SHORT);
        letEnd();
        reserved(claims, newValue(), SHORT);
        letEnd();

        assertThat(otherNode.expirationLag()).as("the older of two").isBetween(SHORT, LONG);

        assertThat(claims.expireReservations(100)).isEqualTo(2);
        assertThat(otherNode.expirationLag()).as("both are marked").isZero();
    }

    @Test
    void remainingTtl_neverNegative() {
        Success reserved = reserved(claims, ALICE, SHORT);
        assertThat(claims.getReservation(reserved.reservationId()).getRemainingTTL())
                .isBetween(Duration.ZERO, SHORT);
        letEnd();

        assertThat(claims.getReservation(reserved.reservationId()).getRemainingTTL()).isZero();
    }

    @Test
    void expireReservations_respectsBatchSize100AndIsIdempotent() {
        for (int i = 0; i < 130; i++) {
            reserved(claims, newValue(), SHORT);
        }
        reserved(claims, ALICE, LONG);
        letEnd();

        assertThat(claims.expireReservations(100)).isEqualTo(100);
        assertThat(otherNode.expireReservations(100)).isEqualTo(30);
        assertThat(claims.expireReservations(100)).isZero();

        assertThat(claims.isReserved(EMAIL, ALICE)).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.expireReservations(0))
                .withMessage("batchSize must be at least 1, but is 0");
    }

    @Test
    void twoNodesThatSweepAtOnceMarkEachClaimOnce() throws Exception {
        for (int i = 0; i < 60; i++) {
            reserved(claims, newValue(), SHORT);
        }
        Queue<ClaimEvent> events = new ConcurrentLinkedQueue<>();
        claims.onEvent(events::add);
        otherNode.onEvent(events::add);
        letEnd();

        List<Integer> swept = atOnce(() -> claims.expireReservations(100), () -> otherNode.expireReservations(100));

        assertThat(swept.get(0) + swept.get(1) + claims.expireReservations(100)).isEqualTo(60);
        assertThat(events).hasSize(60).extracting(ClaimEvent::reservationId).doesNotHaveDuplicates();
    }

    @Test
    void jobsOnTwoNodesMarkEachClaimOnce_andTellOfIt() throws Exception {
        for (int i = 0; i < 60; i++) {
            reserved(claims, newValue(), SHORT);
        }
        reserved(claims, ALICE, LONG);
        Queue<ClaimEvent> events = new ConcurrentLinkedQueue<>();
        claims.onEvent(events::add);
        otherNode.onEvent(events::add);
        letEnd();

        try (ExpirationJob job = ExpirationJob.builder().source(ExpirationSource.of(claims)).build();
                ExpirationJob otherJob = ExpirationJob.builder().source(ExpirationSource.of(otherNode)).build()) {
            List<Long> marked =
                    atOnce(() -> job.runOnce().processedCount(), () -> otherJob.runOnce().processedCount());
            assertThat(marked.get(0) + marked.get(1) + job.runOnce().processedCount()).isEqualTo(60);
            assertThat(job.runOnce().processedCount()).isZero();
        }

        assertThat(events).hasSize(60).hasOnlyElementsOfType(ClaimExpired.class)
                .extracting(ClaimEvent::reservationId).doesNotHaveDuplicates();
        assertThat(claims.isReserved(EMAIL, ALICE)).isTrue();
    }

    @Test
    void listenersLearnOfEachChangeAfterItWasMade() {
        List<ClaimEvent> events = new ArrayList<>();
        List<ClaimStatus> seen = new ArrayList<>();
        claims.onEvent(event -> {
            throw new IllegalStateException("It must not harm anybody");
        });
        Registration registration = claims.onEvent(event -> {
            events.add(event);
            seen.add(otherNode.getReservation(event.reservationId()).status());
        });
        Success first = success(claims.reserve(EMAIL, ALICE, LONG, "sign-up 7"));
        claims.confirm(first.reservationId(), first.token(), "user 1");
        claims.releaseConfirmed(first.key(), "user 1");
        claims.reserve(EMAIL, ALICE, LONG);
        claims.reserve(EMAIL, ALICE, LONG);
        claims.release(first.reservationId());
        claims.release(first.reservationId());
        registration.close();
        registration.close();
        claims.reserve(EMAIL, ALICE, LONG);

        assertThat(events).extracting(event -> event.getClass().getSimpleName()).containsExactly(
                "ClaimReserved", "ClaimConfirmed", "ClaimReleased", "ClaimReserved", "ClaimReleased");
        assertThat(seen).as("it was committed before").containsExactly(
                ClaimStatus.RESERVED, ClaimStatus.CONFIRMED, ClaimStatus.RELEASED, ClaimStatus.RESERVED,
                ClaimStatus.RELEASED);
        assertThat(events).extracting(ClaimEvent::type).containsOnly(EMAIL);
        ClaimReserved reserved = (ClaimReserved) events.getFirst();
        assertThat(reserved.key()).isEqualTo("email:" + ALICE);
        assertThat(reserved.correlationId()).hasValue("sign-up 7");
        assertThat(reserved.expiresAt()).isEqualTo(first.expiresAt());
        assertThat(((ClaimConfirmed) events.get(1)).entityId()).isEqualTo("user 1");
        assertThat(events.toString()).as("no value gets into a log").doesNotContain(ALICE);
    }

    @Test
    void reservingOverALapsedClaimTellsOfItsEnd() {
        List<ClaimEvent> events = new ArrayList<>();
        otherNode.onEvent(events::add);
        Success first = success(claims.reserve(EMAIL, ALICE, SHORT, "sign-up 7"));
        letEnd();

        reserved(otherNode, ALICE, LONG);

        assertThat(events).hasSize(2);
        ClaimExpired expired = (ClaimExpired) events.getFirst();
        assertThat(expired.reservationId()).isEqualTo(first.reservationId());
        assertThat(expired.key()).isEqualTo(first.key());
        assertThat(expired.correlationId()).hasValue("sign-up 7");
        assertThat(expired.occurredAt()).isEqualTo(first.expiresAt());
        assertThat(events.get(1)).isInstanceOf(ClaimReserved.class);
    }

    @Test
    void nothingIsToldTwice() {
        List<ClaimEvent> events = new ArrayList<>();
        claims.onEvent(events::add);
        lapsed(ALICE);
        claims.expireReservations(100);
        reserved(claims, ALICE, LONG);

        assertThat(events).filteredOn(ClaimExpired.class::isInstance).hasSize(1);
    }

    /** Confirms claims at about the moment of their end, while sweeps go on. */
    @Test
    void confirmRacingExpire_exactlyOneWins() throws Exception {
        assumeFalse(backend.time().isInManualTime(), "Needs a clock that runs");
        int races = backend.rounds() * 5;
        record Raced(Success claim, long end) {}
        Queue<Raced> reserved = new ConcurrentLinkedQueue<>();
        Set<String> confirmed = ConcurrentHashMap.newKeySet();
        Set<String> refused = ConcurrentHashMap.newKeySet();
        Queue<String> expired = new ConcurrentLinkedQueue<>();
        AtomicInteger number = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        otherNode.onEvent(event -> expired.add(event.reservationId()));
        Callable<Void> reserve = () -> {
            while (number.incrementAndGet() <= races) {
                Success claim = reserved(claims, newValue(), SHORT);
                reserved.add(new Raced(claim, System.nanoTime() + SHORT.toNanos()));
            }
            return null;
        };
        Callable<Void> confirm = () -> {
            while (confirmed.size() + refused.size() < races) {
                Raced raced = reserved.poll();
                if (raced == null) {
                    LockSupport.parkNanos(100_000);
                    continue;
                }
                // Some arrive before the end, some after. On a busy machine all would be late, so the first does not wait.
                long early = confirmed.isEmpty()
                        ? SHORT.toNanos()
                        : ThreadLocalRandom.current().nextLong(EARLIEST.toNanos());
                LockSupport.parkNanos(raced.end - System.nanoTime() - early);
                boolean done = claims.confirm(raced.claim.reservationId(), raced.claim.token(),
                        "user 1") instanceof ConfirmResult.Success;
                (done ? confirmed : refused).add(raced.claim.reservationId());
            }
            over.set(true);
            return null;
        };
        Callable<Void> sweep = () -> {
            while (!over.get()) {
                otherNode.expireReservations(100);
            }
            return null;
        };

        atOnce(List.of(reserve, reserve, confirm, confirm, sweep));
        letEnd();
        otherNode.expireReservations(races);

        assertThat(confirmed.size() + refused.size()).isEqualTo(races);
        assertThat(confirmed).as("confirmed in time").isNotEmpty();
        assertThat(refused).as("confirmed too late").isNotEmpty();
        assertThat(expired).as("each is told once").containsExactlyInAnyOrderElementsOf(refused);
    }
}
