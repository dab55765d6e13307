// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who holds a reservation, how often, and who may give it back. */
public abstract class HoldingContract extends ContractTest {

    @Test
    void unlockByThreadThatNeverHeld_throwsIllegalMonitorStateImmediately() {
        Actor holder = actor("holder");
        holder.does(() -> manager.getReservation(ID).lock());

        assertThatThrownBy(() -> manager.getReservation(ID).unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("does not hold reservation [test-domain::42]");
        assertThatThrownBy(() -> manager.getReservation("never locked").unlock())
                .isInstanceOf(IllegalMonitorStateException.class);
        holder.does(() -> manager.getReservation(ID).unlock());
    }

    @Test
    void secondUnlockThrowsIllegalMonitorState() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        reservation.unlock();

        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lateUnlockAfterTakeover_returnsAtOnceAndKeepsNewHoldersLock() {
        Reservation late = manager.getReservation(ID);
        late.lock();
        backend.passTime(PAST_THE_LEASE);
        Actor successor = actor("successor");
        Reservation taken = otherNode.getReservation(ID);
        successor.does(() -> taken.lock(LEASE.multipliedBy(10)));

        assertThatThrownBy(late::unlock).isInstanceOf(ReservationExpiredException.class);

        assertThat(successor.ask(taken::isHeldByCurrentThread)).isTrue();
        assertThat(late.isLocked()).isTrue();
        successor.does(taken::unlock);
        assertThat(late.isLocked()).isFalse();
    }

    @Test
    void forceUnlockFromAnotherThread_isImmediate() {
        Actor holder = actor("holder");
        Reservation held = manager.getReservation(ID);
        holder.does(held::lock);

        otherNode.getReservation(ID).forceUnlock();

        assertThat(held.isLocked()).isFalse();
        assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
        assertThatThrownBy(() -> holder.does(held::unlock)).isInstanceOf(ReservationExpiredException.class);
        assertThat(otherNode.getReservation(ID).isHeldByCurrentThread()).isTrue();
    }

    @Test
    void forceUnlockOfAFreeReservationDoesNothing() {
        manager.getReservation(ID).forceUnlock();

        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void reentrantAcrossTwoInstancesOfOneIdentifier() {
        manager.getReservation(ID).lock();
        assertThat(manager.getReservation(ID).tryLock()).isTrue();
        assertThat(manager.getReservation(ID).getHoldCount()).isEqualTo(2);

        manager.getReservation(ID).unlock();
        assertThat(manager.getReservation(ID).isLocked()).isTrue();
        manager.getReservation(ID).unlock();
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void unlockThroughAnotherInstance() {
        manager.getReservation(ID).lock();

        manager.getReservation(ID).unlock();

        assertThat(manager.getReservation(ID).isLocked()).isFalse();
        assertNothingLeft();
    }

    @Test
    void reentrancyBelongsToTheThreadAndToTheManager() {
        manager.getReservation(ID).lock();

        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
        assertThat(actor("other thread").ask(() -> manager.getReservation(ID).tryLock())).isFalse();
    }

    @Test
    @Tag("renewal")
    void reentrantLockRenewsLease() {
        Reservation reservation = node(LEASE.multipliedBy(10)).getReservation(ID);
        reservation.lock(LEASE);
        backend.passTime(LEASE.dividedBy(4));

        reservation.lock();
        backend.passTime(LEASE);

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        reservation.unlock();
    }

    @Test
    @Tag("renewal")
    void aRelockNeverShortensTheLease() throws Exception {
        Reservation reservation = manager.getReservation(ID);
        assertThat(reservation.tryLock(Duration.ZERO, LEASE.multipliedBy(10))).isTrue();

        reservation.lock();
        reservation.renew(Duration.ofMillis(100));

        assertThat(reservation.getRemainingLeaseTime()).isGreaterThan(LEASE.multipliedBy(9));
        backend.passTime(PAST_THE_LEASE);
        assertThat(reservation.isLocked()).isTrue();
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
        reservation.unlock();
    }

    @Test
    void relockAfterExpiry_outerUnlockThrowsExpired() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);

        reservation.lock();

        assertThat(reservation.getHoldCount()).isEqualTo(1);
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertNothingLeft();
    }

    @Test
    void everyLostHoldOfEveryGenerationThrowsOnce_andOnlyThose() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);
        reservation.lock();
        reservation.lock();
        reservation.lock();

        assertThat(reservation.getHoldCount()).isEqualTo(3);
        reservation.unlock();
        reservation.unlock();
        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
        for (int lost = 0; lost < 3; lost++) {
            assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        }
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertNothingLeft();
    }

    @Test
    void aLostReentrantHoldThrowsOnEveryUnlock() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void relockRefusedAfterExpiry_stillOwesTheLostUnlocks() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);
        actor("successor").does(() -> otherNode.getReservation(ID).lock());

        assertThat(reservation.tryLock()).isFalse();

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aHoldWhoseThreadDied_isFreeAfterTheLeaseAndForgotten() throws Exception {
        Thread thread = Thread.ofVirtual().start(() -> manager.getReservation(ID).lock());
        thread.join();
        assertThat(manager.getReservation(ID).isLocked()).isTrue();

        backend.passTime(PAST_THE_LEASE);

        assertThat(manager.getReservation(ID).tryLock()).isTrue();
        manager.getReservation(ID).unlock();
        awaitNothingLeft(manager);
    }

    @Test
    void twoVirtualThreadsExcludeEachOther() throws Exception {
        CountDownLatch tried = new CountDownLatch(2);
        List<Boolean> granted = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                granted.add(manager.getReservation(ID).tryLock());
                tried.countDown();
                Actor.awaitUninterruptibly(tried);
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(granted).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void twoProcessesWithSameThreadNameExcludeEachOther() {
        Actor here = actor("pool-1-thread-1");
        Actor there = actor("pool-1-thread-1");
        here.does(() -> manager.getReservation(ID).lock());

        assertThat(there.ask(() -> otherNode.getReservation(ID).tryLock())).isFalse();
        assertThatThrownBy(() -> there.does(() -> otherNode.getReservation(ID).unlock()))
                .isInstanceOf(IllegalMonitorStateException.class);
        assertThat(here.ask(() -> manager.getReservation(ID).isHeldByCurrentThread())).isTrue();
    }
}
