// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing.md and of the README's section on tests. */
class TestingExamplesTest {

    @Test
    void moveTimeByHand() {
        // @start region="manual-time"
        ManualTicker ticker = new ManualTicker();
        InMemoryStore store = new InMemoryStore(ticker);
        ReservationManager orders = ReservationManager.inMemory(store).domain("orders").build();
        Reservation order = orders.getReservation("42");

        order.lock();
        ticker.advance(orders.getLeaseTime());

        assertThat(order.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(order::unlock).isInstanceOf(ReservationExpiredException.class);
        // @end
        orders.close();
    }

    @Test
    void playTwoNodes() throws InterruptedException {
        // @start region="two-nodes"
        InMemoryStore store = new InMemoryStore();
        ReservationManager nodeA = ReservationManager.inMemory(store).domain("orders").build();
        ReservationManager nodeB = ReservationManager.inMemory(store).domain("orders").build();

        nodeA.getReservation("42").lock();

        assertThat(nodeB.getReservation("42").tryLock(100, MILLISECONDS)).isFalse();
        // @end
        nodeA.close();
        nodeB.close();
    }

    @Test
    void loseALease() throws InterruptedException {
        InMemoryStore store = new InMemoryStore();
        ReservationManager orders = ReservationManager.inMemory(store).domain("orders").build();
        Reservation order = orders.getReservation("42");
        // @start region="lose"
        BlockingQueue<LostReservation> losses = new LinkedBlockingQueue<>();
        orders.onLost(losses::add);
        order.lock();

        store.loseNow(order.getReservationKey(), LossReason.DISCONNECTED);

        assertThat(losses.poll(5, SECONDS).reason()).isEqualTo(LossReason.DISCONNECTED);
        // @end
        orders.close();
    }

    @Test
    void failAndRecover() {
        InMemoryStore store = new InMemoryStore();
        ReservationManager orders = ReservationManager.inMemory(store).domain("orders").build();
        Reservation order = orders.getReservation("42");
        // @start region="fail"
        store.failWith(Fault.UNAVAILABLE);
        assertThat(order.tryLock()).isFalse();
        assertThatThrownBy(order::lock).isInstanceOf(ReservationAcquisitionException.class);

        store.failWith(Fault.MISCONFIGURED);
        assertThatThrownBy(order::tryLock).isInstanceOf(ReservationAcquisitionException.class);

        store.recover();
        assertThat(order.tryLock()).isTrue();

        store.failNext(1, Fault.UNAVAILABLE);
        assertThatThrownBy(order::unlock).isInstanceOf(ReservationException.class);
        // @end
        orders.close();
    }

    @Test
    void loseAReply() {
        InMemoryStore store = new InMemoryStore();
        ReservationManager orders = ReservationManager.inMemory(store).domain("orders").build();
        Reservation order = orders.getReservation("42");
        // @start region="lost-reply"
        store.failNext(1, Fault.LOST_REPLY);
        order.lock(); // granted, but the reply gets lost; the library checks and finds its own lease

        assertThat(order.isHeldByCurrentThread()).isTrue();
        // @end
        order.unlock();
        orders.close();
    }
}
