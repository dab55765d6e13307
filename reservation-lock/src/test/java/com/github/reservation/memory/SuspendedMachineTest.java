// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A machine that was suspended wakes up with a monotonic clock that stood still. */
class SuspendedMachineTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final ManualTicker ticker = new ManualTicker();
    private final InMemoryStore store = new InMemoryStore(ticker);
    private final ReservationManager manager =
            ReservationManager.inMemory(store).domain("suspended").leaseTime(LEASE).build();
    private final Reservation reservation = manager.getReservation("42");
    private final BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        manager.close();
    }

    @Test
    void aHoldIsLostAndToldWhenTheMachineWasSuspendedForLongerThanItsLease() throws Exception {
        manager.onLost(told::add);
        reservation.lock();

        ticker.moveWallClock(LEASE.plusMillis(1_001));

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThat(reservation.fencingToken()).isEmpty();
        assertThat(reservation.renew()).isFalse();
        LostReservation lost = told.poll(10, TimeUnit.SECONDS);
        assertThat(lost).isNotNull();
        assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED);
    }

    @Test
    void theListenersAreToldThoughTheThreadDoesNotAsk() throws Exception {
        manager.onLost(told::add);
        reservation.lock();

        ticker.moveWallClock(Duration.ofHours(1));

        assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(told).isEmpty();
    }

    @Test
    void theListenersAreToldThoughTheWatchHadGoneToSleepBefore() throws Exception {
        manager.onLost(told::add);
        reservation.lock();
        Thread.sleep(500);

        ticker.moveWallClock(Duration.ofHours(1));

        assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void theListenersAreToldOnTimeWhenTheMachineWasSuspendedForAPartOfTheLease() throws Exception {
        manager.onLost(told::add);
        reservation.lock();
        ticker.moveWallClock(LEASE.dividedBy(2));
        assertThat(reservation.getRemainingLeaseTime()).isLessThanOrEqualTo(LEASE.dividedBy(2).plusSeconds(2));

        ticker.advance(LEASE.dividedBy(2).plusMillis(1_001));

        assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void manyShortSuspensionsAddUp() throws Exception {
        manager.onLost(told::add);
        reservation.lock();

        for (int i = 0; i < 130; i++) {
            ticker.moveWallClock(Duration.ofMillis(450));
            ticker.advance(Duration.ofMillis(50));
        }

        assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void aHoldThatWasNotTrustedOnceIsLostForGood() {
        reservation.lock();
        ticker.moveWallClock(Duration.ofHours(1));
        assertThat(reservation.isHeldByCurrentThread()).isFalse();

        ticker.moveWallClock(Duration.ofHours(-1));

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void aShortSuspensionDoesNotEndAHold() {
        reservation.lock();

        ticker.moveWallClock(LEASE.dividedBy(2));

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.renew()).isTrue();
        ticker.moveWallClock(LEASE.dividedBy(2).plusSeconds(2));
        assertThat(reservation.isHeldByCurrentThread()).as("counted from the renewal").isTrue();
        reservation.unlock();
    }

    @Test
    void aWallClockThatIsSetBackChangesNothing() {
        reservation.lock();

        ticker.moveWallClock(Duration.ofDays(-1));

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        ticker.moveWallClock(Duration.ofDays(1));
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        ticker.moveWallClock(Duration.ofDays(-1));
        ticker.advance(LEASE);
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }
}
