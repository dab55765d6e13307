// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.memory.Fault;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How holds are timed, and how losses are counted. */
@Timeout(30)
class HoldMetricsTest extends MeteredManager {

    @Test
    void aHoldIsTimedFromTheFirstLockToTheLastUnlock() {
        reservation.lock();
        ticker.advance(Duration.ofSeconds(1));
        reservation.lock();
        ticker.advance(Duration.ofSeconds(2));
        reservation.unlock();
        assertThat(registry.find("reservation.held.time").timer()).isNull();
        ticker.advance(Duration.ofSeconds(4));
        reservation.unlock();

        assertHeld(1, Duration.ofSeconds(7));
        assertExpired(0);
    }

    @Test
    void aHoldIsTimedAlthoughTheStoreDidNotAnswerItsRelease() {
        reservation.lock();
        ticker.advance(Duration.ofSeconds(1));
        store.failWith(Fault.UNAVAILABLE);

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationException.class);

        assertHeld(1, Duration.ofSeconds(1));
        assertExpired(0);
    }

    @Test
    void anExpiredHoldIsTimedAndCountedOnce() {
        reservation.lock();
        reservation.lock();

        ticker.advance(LEASE);
        awaitExpired(1);

        assertHeld(1, LEASE);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertHeld(1, LEASE);
        assertExpired(1);
    }

    @Test
    void aHoldThatLostTrustButIsGivenBackInTimeIsTimedOnce() {
        reservation.lock();
        Duration insideTheMargin = LEASE.minusMillis(1);
        ticker.advance(insideTheMargin);
        awaitExpired(1);

        reservation.unlock();

        assertHeld(1, insideTheMargin);
        assertExpired(1);
    }

    @Test
    void aForcedHoldIsTimedAndCountedOnce() {
        reservation.lock();
        ticker.advance(Duration.ofSeconds(3));

        elsewhere().forceUnlock();

        awaitExpired(1);
        assertHeld(1, Duration.ofSeconds(3));
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertHeld(1, Duration.ofSeconds(3));
        assertExpired(1);
    }

    @Test
    void eachGenerationIsTimedByItself() {
        reservation.lock();
        ticker.advance(LEASE);
        reservation.lock();
        ticker.advance(Duration.ofSeconds(1));
        reservation.unlock();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);

        awaitExpired(1);
        assertHeld(2, LEASE.plusSeconds(1));
        assertAttempts("acquired", 2, Duration.ZERO);
    }

    @Test
    void anUnlockAfterTheEndOfTheManagerIsStillTimed() {
        reservation.lock();
        manager.close();
        ticker.advance(Duration.ofSeconds(2));

        reservation.unlock();

        assertHeld(1, Duration.ofSeconds(2));
    }

    private void assertHeld(int count, Duration total) {
        Timer timer = registry.get("reservation.held.time")
                .tags("domain", "orders", "backend", "memory")
                .timer();
        assertThat(timer.count()).isEqualTo(count);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(total.toNanos());
    }

    private void assertExpired(int count) {
        assertThat(expired()).isEqualTo(count);
    }
}
