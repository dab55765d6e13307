// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.reservation.internal.base.Log;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.memory.InMemoryReservationManagerBuilder;
import java.time.Duration;
import java.util.List;
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
class BadArgumentsTest extends OnOrders {

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
        void nullIsNoLabel() {
            assertThatThrownBy(() -> builder.holderLabel(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("holderLabel must not be null");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "two words", "caf\u00e9", "tab\there", "line\nbreak", "nul\0"})
        void aLabelIsShortAndPrintable(String label) {
            for (String wrong : List.of(label, "x".repeat(101))) {
                assertThatThrownBy(() -> builder.holderLabel(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                "holderLabel must be 1 to 100 printable characters of ASCII without blanks, but is \""
                                        + Log.oneLine(wrong) + '"');
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
        }

        @Test
        void nullIsNoLockName() {
            for (ThrowingCallable call : work(null)) {
                assertThatThrownBy(call)
                        .isInstanceOf(InvalidReservationKeyException.class)
                        .hasMessage("lockName must not be null");
            }
        }

        /** Every way to ask for the lock. */
        private List<ThrowingCallable> work(String name) {
            LockOptions options = LockOptions.defaults();
            return List.of(
                    () -> manager.run(name, held -> runs.incrementAndGet()),
                    () -> manager.run(name, options, held -> runs.incrementAndGet()),
                    () -> manager.call(name, held -> runs.incrementAndGet()),
                    () -> manager.call(name, options, held -> runs.incrementAndGet()),
                    () -> manager.tryRun(name, held -> runs.incrementAndGet()),
                    () -> manager.tryRun(name, options, held -> runs.incrementAndGet()),
                    () -> manager.tryCall(name, held -> runs.incrementAndGet()),
                    () -> manager.tryCall(name, options, held -> runs.incrementAndGet()),
                    () -> manager.acquire(name),
                    () -> manager.acquire(name, options),
                    () -> manager.tryAcquire(name),
                    () -> manager.tryAcquire(name, options));
        }

        private static void assertRefused(ThrowingCallable call) {
            assertThatThrownBy(call)
                    .isInstanceOf(InvalidReservationKeyException.class)
                    .hasMessage("identifier must not be null");
        }

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badTexts")
        void anIdentifierObeysTheRulesForKeys(String identifier, String rule) {
            assertThatThrownBy(() -> manager.getReservation(identifier))
                    .isInstanceOf(InvalidReservationKeyException.class)
                    .hasMessageStartingWith("identifier" + rule);
            for (ThrowingCallable call : work(identifier)) {
                assertThatThrownBy(call)
                        .isInstanceOf(InvalidReservationKeyException.class)
                        .hasMessageStartingWith("lockName" + rule);
            }
        }

        @Test
        void nullIsNoWork() {
            LockOptions options = LockOptions.defaults();
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> manager.run("42", null),
                    () -> manager.run("42", options, null),
                    () -> manager.call("42", null),
                    () -> manager.call("42", options, null),
                    () -> manager.tryRun("42", null),
                    () -> manager.tryRun("42", options, null),
                    () -> manager.tryCall("42", null),
                    () -> manager.tryCall("42", options, null))) {
                assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage("work must not be null");
            }
        }

        @Test
        void nullIsNoOptions() {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> manager.run("42", null, held -> runs.incrementAndGet()),
                    () -> manager.call("42", null, held -> runs.incrementAndGet()),
                    () -> manager.tryRun("42", null, held -> runs.incrementAndGet()),
                    () -> manager.tryCall("42", null, held -> runs.incrementAndGet()),
                    () -> manager.acquire("42", null),
                    () -> manager.tryAcquire("42", null))) {
                assertThatThrownBy(call).isInstanceOf(NullPointerException.class)
                        .hasMessage("options must not be null");
            }
        }

        @ParameterizedTest
        @MethodSource("com.github.reservation.BadArgumentsTest#badLeases")
        void aLeaseIsWithinItsLimits(Duration lease, String rule) {
            assertThatThrownBy(() -> LockOptions.defaults().leaseTime(lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("leaseTime" + rule);
        }

        @Test
        void nullIsNoListener() {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> manager.onLost(null), () -> manager.onEvent(null))) {
                assertThatThrownBy(call)
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage("listener must not be null");
            }
        }
    }
}
