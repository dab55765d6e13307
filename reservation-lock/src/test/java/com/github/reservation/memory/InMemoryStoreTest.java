// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a user can do with the store to test code of his own. */
class InMemoryStoreTest {

    private final ManualTicker ticker = new ManualTicker();
    private final InMemoryStore store = new InMemoryStore(ticker);
    private final ReservationManager orders =
            ReservationManager.inMemory(store).domain("orders").leaseTime(Duration.ofSeconds(10)).build();
    private final Reservation order = orders.getReservation("42");

    @AfterEach
    void close() {
        orders.close();
    }

    @Test
    void expireNowEndsALeaseAtOnce() {
        order.lock();

        assertThat(store.expireNow(order.getReservationKey())).isTrue();

        assertThat(order.isLocked()).isFalse();
        assertThat(order.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(order::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThat(store.expireNow(order.getReservationKey())).as("it is free now").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void loseNowTellsTheHolderAnyReason(LossReason reason) throws Exception {
        BlockingQueue<LostReservation> told = new LinkedBlockingQueue<>();
        orders.onLost(told::add);
        order.lock();

        assertThat(store.loseNow(order.getReservationKey(), reason)).isTrue();

        assertThat(told.poll(10, TimeUnit.SECONDS).reason()).isEqualTo(reason);
        assertThatThrownBy(order::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void failNextFailsJustThatOften() {
        store.failNext(2, Fault.UNAVAILABLE);

        assertThat(order.tryLock()).isFalse();
        assertThatThrownBy(order::lock).isInstanceOf(ReservationAcquisitionException.class);
        assertThat(order.tryLock()).isTrue();
    }

    @Test
    void failWithLastsUntilRecover() {
        store.failWith(Fault.MISCONFIGURED);
        assertThatThrownBy(order::tryLock).isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(order::tryLock).isInstanceOf(ReservationAcquisitionException.class);

        store.recover();

        assertThat(order.tryLock()).isTrue();
    }

    @Test
    void aLostReplyIsNoLostLock() {
        store.failNext(1, Fault.LOST_REPLY);

        assertThat(order.tryLock()).isTrue();

        assertThat(order.getHoldCount()).isEqualTo(1);
    }

    @Test
    void storesOfTheirOwnDoNotMeet() {
        try (ReservationManager other =
                ReservationManager.inMemory().domain("orders").build()) {
            order.lock();

            assertThat(other.getReservation("42").tryLock()).isTrue();
        }
    }

    @Test
    void sharedBySeveralManagersItPlaysSeveralNodes() {
        List<ReservationManager> nodes = List.of(
                ReservationManager.inMemory(store).domain("orders").build(),
                ReservationManager.inMemory(store).domain("orders").build());

        assertThat(nodes.get(0).getReservation("7").tryLock()).isTrue();
        assertThat(nodes.get(1).getReservation("7").tryLock()).isFalse();
        nodes.forEach(ReservationManager::close);
    }
}
