// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the methods of a reservation say to bad arguments, and that they have done nothing by then. */
class BadReservationArgumentsTest extends OnOrders {

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
}
