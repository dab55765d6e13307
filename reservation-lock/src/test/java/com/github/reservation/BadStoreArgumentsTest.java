// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store in memory and its ticker say to bad arguments, and that they have done nothing by then. */
class BadStoreArgumentsTest extends OnOrders {

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
