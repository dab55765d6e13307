// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryReservationManagerBuilder;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the public methods say to bad arguments, and that they have done nothing by then. */
class BadArgumentsTest {

    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Duration TOO_LONG = Duration.ofSeconds(Long.MAX_VALUE);

    private final ManualTicker ticker = new ManualTicker();
    private final InMemoryStore store = new InMemoryStore(ticker);
    private final ReservationManager manager =
            ReservationManager.inMemory(store).domain("orders").leaseTime(LEASE).build();
    private final Reservation reservation = manager.getReservation("42");

    @AfterEach
    void close() {
        manager.close();
    }

    /** Durations that are no lease time, with what is said of them. */
    static Stream<Arguments> badLeases() {
        return Stream.of(
                arguments(Duration.ZERO, " must be positive, but is PT0S"),
                arguments(Duration.ofNanos(-1), " must be positive, but is PT-0.000000001S"),
                arguments(Duration.ofMinutes(-1), " must be positive, but is PT-1M"),
                arguments(
                        Duration.ofSeconds(Long.MIN_VALUE), " must be positive, but is " + Duration.ofSeconds(
                                Long.MIN_VALUE)),
                arguments(Duration.ofNanos(1), " must be positive, at least 1 ms, but is PT0.000000001S"),
                arguments(Duration.ofNanos(999_999), " must be positive, at least 1 ms, but is PT0.000999999S"),
                arguments(TOO_LONG, " is too long: " + TOO_LONG + ", at most 9223372036854775807 ms"));
    }

    /** Texts that are neither a domain nor an identifier, with what is said of them. */
    static Stream<Arguments> badTexts() {
        return Stream.of(
                arguments("", " must not be empty"),
                arguments("a::b", " must not contain '::', but is \"a::b\""),
                arguments("a\0b", " must not contain NUL, but is \"a\\0b\""),
                arguments("a\uD83Db", " must not contain half of a surrogate pair, but is \"a\uD83Db\""),
                arguments("x".repeat(600), " is too long: "));
    }

    @Nested
    class OfTheBuilder {

        private final InMemoryReservationManagerBuilder builder =
                ReservationManager.inMemory(store).domain("orders").leaseTime(LEASE);

        @AfterEach
        void stillBuildsWithWhatItHadBefore() {
            try (ReservationManager built = builder.build()) {
                assertThat(built.getDomain()).isEqualTo("orders");
                assertThat(built.getLeaseTime()).isEqualTo(LEASE);
            }
        }

        @Test
        void nullIsNoDomain() {
            assertThatThrownBy(() -> builder.domain(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("domain must not be null");
        }

        @Test
        void nothingIsNoDomain() {
            assertThatThrownBy(() -> builder.domain(""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("domain must not be empty");
        }

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badTexts")
        void aDomainObeysTheRulesForKeys(String domain, String rule) {
            assertThatThrownBy(() -> builder.domain(domain))
                    .isInstanceOf(InvalidReservationKeyException.class)
                    .hasMessageStartingWith("domain" + rule);
        }

        @Test
        void aDomainDoesNotEndInAColon() {
            assertThatThrownBy(() -> builder.domain("a:"))
                    .isInstanceOf(InvalidReservationKeyException.class)
                    .hasMessage("domain must not end in ':', but is \"a:\"");
        }

        @Test
        void nullIsNoLeaseTime() {
            assertThatThrownBy(() -> builder.leaseTime(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("leaseTime must not be null");
        }

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badLeases")
        void aLeaseTimeIsWithinItsLimits(Duration leaseTime, String rule) {
            assertThatThrownBy(() -> builder.leaseTime(leaseTime))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("leaseTime" + rule);
        }

        @Test
        void noRegistryIsAllowed() {
            assertThatCode(() -> builder.meterRegistry(null)).doesNotThrowAnyException();
        }
    }

    @Test
    void aBuilderWithoutADomainBuildsNothingUntilItHasOne() {
        InMemoryReservationManagerBuilder builder = ReservationManager.inMemory();

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("domain must be set before building");

        builder.domain("orders").build().close();
    }

    @Test
    void nullIsNoStore() {
        assertThatThrownBy(() -> ReservationManager.inMemory(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("store must not be null");
        assertThatThrownBy(() -> new InMemoryReservationManagerBuilder(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("store must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "P36500D", "PT2562047788015H12M55.807S"})
    void theShortestAndTheLongestLeaseTimeWork(Duration leaseTime) {
        try (ReservationManager edge =
                ReservationManager.inMemory(store).domain("edge").leaseTime(leaseTime).build()) {
            Reservation held = edge.getReservation("42");

            held.lock();

            assertThat(held.isHeldByCurrentThread()).isTrue();
            assertThat(held.getRemainingLeaseTime()).isPositive();
            assertThat(held.renew()).isTrue();
            held.unlock();
            assertThat(held.isLocked()).isFalse();
        }
    }

    @Nested
    class OfTheManager {

        private final AtomicInteger runs = new AtomicInteger();

        @AfterEach
        void nothingWasDone() {
            assertThat(runs).hasValue(0);
            assertThat(manager.listReservations()).isEmpty();
        }

        @Test
        void nullIsNoIdentifier() {
            assertRefused(() -> manager.getReservation(null));
            assertRefused(() -> manager.run(null, held -> runs.incrementAndGet()));
            assertRefused(() -> manager.call(null, held -> runs.incrementAndGet()));
            assertRefused(() -> manager.tryRun(null, Duration.ZERO, LEASE, held -> runs.incrementAndGet()));
            assertRefused(() -> manager.tryCall(null, Duration.ZERO, LEASE, held -> runs.incrementAndGet()));
        }

        private static void assertRefused(ThrowingCallable call) {
            assertThatThrownBy(call)
                    .isInstanceOf(InvalidReservationKeyException.class)
                    .hasMessage("identifier must not be null");
        }

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badTexts")
        void anIdentifierObeysTheRulesForKeys(String identifier, String rule) {
            for (ThrowingCallable call : new ThrowingCallable[]{
                    () -> manager.getReservation(identifier),
                    () -> manager.run(identifier, held -> runs.incrementAndGet()),
                    () -> manager.call(identifier, held -> runs.incrementAndGet()),
                    () -> manager.tryRun(identifier, Duration.ZERO, LEASE, held -> runs.incrementAndGet()),
                    () -> manager.tryCall(identifier, Duration.ZERO, LEASE, held -> runs.incrementAndGet())}) {
                assertThatThrownBy(call)
                        .isInstanceOf(InvalidReservationKeyException.class)
                        .hasMessageStartingWith("identifier" + rule);
            }
        }

        @Test
        void nullIsNoWork() {
            assertThatThrownBy(() -> manager.run("42", null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("action must not be null");
            assertThatThrownBy(() -> manager.call("42", null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("call must not be null");
            assertThatThrownBy(() -> manager.tryRun("42", Duration.ZERO, LEASE, null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("action must not be null");
            assertThatThrownBy(() -> manager.tryCall("42", Duration.ZERO, LEASE, null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("call must not be null");
        }

        @Test
        void nullIsNoWaitAndNoLease() {
            for (ThrowingCallable call : new ThrowingCallable[]{
                    () -> manager.tryRun("42", null, LEASE, held -> runs.incrementAndGet()),
                    () -> manager.tryCall("42", null, LEASE, held -> runs.incrementAndGet())}) {
                assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage("wait must not be null");
            }
            for (ThrowingCallable call : new ThrowingCallable[]{
                    () -> manager.tryRun("42", Duration.ZERO, null, held -> runs.incrementAndGet()),
                    () -> manager.tryCall("42", Duration.ZERO, null, held -> runs.incrementAndGet())}) {
                assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage("lease must not be null");
            }
        }

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badLeases")
        void aLeaseIsWithinItsLimits(Duration lease, String rule) {
            for (ThrowingCallable call : new ThrowingCallable[]{
                    () -> manager.tryRun("42", TOO_LONG, lease, held -> runs.incrementAndGet()),
                    () -> manager.tryCall("42", TOO_LONG, lease, held -> runs.incrementAndGet())}) {
                assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage("lease" + rule);
            }
        }

        @Test
        void nullIsNoListener() {
            assertThatThrownBy(() -> manager.onLost(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("listener must not be null");
        }
    }

    @Nested
    class OfAFreeReservation {

        @AfterEach
        void nothingIsHeld() {
            assertThat(reservation.isLocked()).isFalse();
            assertThat(reservation.getHoldCount()).isZero();
            assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }

        @Test
        void nullIsNoUnit() {
            assertThatThrownBy(() -> reservation.tryLock(1, null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("unit must not be null");
        }

        @Test
        void nullIsNoWait() {
            assertThatThrownBy(() -> reservation.tryLock(null, LEASE))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("wait must not be null");
        }

        @Test
        void nullIsNoLease() {
            assertThatThrownBy(() -> reservation.lock(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("lease must not be null");
            assertThatThrownBy(() -> reservation.tryLock(Duration.ZERO, null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("lease must not be null");
            assertThatThrownBy(() -> reservation.renew(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("lease must not be null");
        }

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badLeases")
        void aLeaseIsWithinItsLimits(Duration lease, String rule) {
            assertThatThrownBy(() -> reservation.lock(lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lease" + rule);
            assertThatThrownBy(() -> reservation.tryLock(Duration.ZERO, lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lease" + rule);
            assertThatThrownBy(() -> reservation.tryLock(Duration.ofSeconds(1), lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lease" + rule);
        }

        @Test
        void thereAreNoConditions() {
            assertThatThrownBy(reservation::newCondition)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("Conditions are not supported for distributed reservations. "
                            + "Consider using a distributed coordination service for complex synchronization.");
        }

        @Test
        void onlyWhoHoldsCanRenew() {
            assertThatThrownBy(reservation::renew)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("[orders::42]");
            assertThatThrownBy(() -> reservation.renew(LEASE))
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining(Thread.currentThread().getName());
        }
    }

    @Nested
    class OfAHeldReservation {

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badLeases")
        void aBadLeaseNeitherCountsNorRenews(Duration lease, String rule) {
            reservation.lock();
            ticker.advance(Duration.ofSeconds(30));
            Duration remaining = reservation.getRemainingLeaseTime();

            assertThatThrownBy(() -> reservation.lock(lease)).hasMessage("lease" + rule);
            assertThatThrownBy(() -> reservation.tryLock(Duration.ZERO, lease)).hasMessage("lease" + rule);
            assertThatThrownBy(() -> reservation.renew(lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lease" + rule);

            assertThat(reservation.getHoldCount()).isOne();
            assertThat(reservation.getRemainingLeaseTime()).isEqualTo(remaining);
            reservation.unlock();
        }
    }

    @Nested
    class OfAWait {

        @ParameterizedTest
        @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1, Long.MAX_VALUE})
        void anyNumberOfAnyUnitIsAWait(long time) throws InterruptedException {
            for (TimeUnit unit : TimeUnit.values()) {
                assertThat(reservation.tryLock(time, unit)).isTrue();
                reservation.unlock();
            }
        }

        @ParameterizedTest
        @ValueSource(longs = {0, -1, Long.MIN_VALUE})
        void zeroOrLessAsksOnce(long time) throws InterruptedException {
            try (ReservationManager other =
                    ReservationManager.inMemory(store).domain("orders").build()) {
                other.getReservation("42").lock();

                assertThat(reservation.tryLock(time, TimeUnit.DAYS)).isFalse();
                assertThat(reservation.tryLock(Duration.ofSeconds(time), LEASE)).isFalse();
            }
        }

        @Test
        void aWaitLongerThanTheWorldIsAllowed() throws InterruptedException {
            assertThat(reservation.tryLock(TOO_LONG, LEASE)).isTrue();
            reservation.unlock();
        }

        @Test
        void aBadLeaseIsNotWaitedWith() {
            try (ReservationManager other =
                    ReservationManager.inMemory(store).domain("orders").build()) {
                other.getReservation("42").lock();

                assertThatThrownBy(() -> reservation.tryLock(TOO_LONG, Duration.ZERO))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Nested
    class OfTheStoreInMemory {

        @Test
        void nullIsNoTicker() {
            assertThatThrownBy(() -> new InMemoryStore(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("ticker must not be null");
        }

        @Test
        void nullIsNoKeyAndNoReasonToLoseOne() {
            reservation.lock();

            assertThatThrownBy(() -> store.expireNow(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("reservationKey must not be null");
            assertThatThrownBy(() -> store.loseNow(null, LossReason.FORCED))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("reservationKey must not be null");
            assertThatThrownBy(() -> store.loseNow(reservation.getReservationKey(), null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("reason must not be null");

            assertThat(reservation.isHeldByCurrentThread()).isTrue();
            reservation.unlock();
        }

        @Test
        void aKeyThatNobodyHoldsIsNotLost() {
            assertThat(store.expireNow("orders::42")).isFalse();
            assertThat(store.loseNow("orders::42", LossReason.DISCONNECTED)).isFalse();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "42", "orders:42"})
        void anIdentifierIsNoKey(String identifier) {
            for (ThrowingCallable call : new ThrowingCallable[]{
                    () -> store.expireNow(identifier), () -> store.loseNow(identifier, LossReason.FORCED)}) {
                assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("reservationKey must be like domain::identifier, as "
                                + "Reservation.getReservationKey() returns it, but is \"" + identifier + "\"");
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
        void theNumberOfFailuresIsPositive(int calls) {
            assertThatThrownBy(() -> store.failNext(calls, Fault.UNAVAILABLE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("calls must be positive, but is " + calls);

            assertThat(reservation.isLocked()).isFalse();
        }

        @Test
        void nullIsNoFault() {
            assertThatThrownBy(() -> store.failWith(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("fault must not be null");
            assertThatThrownBy(() -> store.failNext(1, null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("fault must not be null");

            assertThat(reservation.isLocked()).isFalse();
        }

        @Test
        void aBadFaultDoesNotMendTheStore() {
            store.failWith(Fault.UNAVAILABLE);

            assertThatThrownBy(() -> store.failWith(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> store.failNext(0, Fault.CONTENTION)).isInstanceOf(IllegalArgumentException.class);

            assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);
        }
    }

    @Nested
    class OfTheManualTicker {

        @Test
        void timeDoesNotGoBackOrNowhere() {
            ticker.advance(Duration.ofSeconds(1));
            long now = ticker.nanos();

            assertThatThrownBy(() -> ticker.advance(Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("duration must not be negative, but is PT-0.000000001S");
            assertThatThrownBy(() -> ticker.advance(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("duration must not be null");

            assertThat(ticker.nanos()).isEqualTo(now);
        }
    }
}
