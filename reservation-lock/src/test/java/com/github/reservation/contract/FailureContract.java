// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store is down, or refuses because of a race. */
public abstract class FailureContract extends OnScriptedStore {

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "OUTCOME_UNKNOWN", "MISCONFIGURED"})
    void lockOnBackendFailure_ReservationAcquisitionException(Kind kind) throws Exception {
        store.goDown(kind);

        assertThatThrownBy(reservation::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageStartingWith("Failed to acquire reservation [test-domain::42]")
                .hasRootCauseInstanceOf(StoreException.class)
                .satisfies(e -> {
                    ReservationAcquisitionException failure = (ReservationAcquisitionException) e;
                    assertThat(failure.getDomain()).isEqualTo(DOMAIN);
                    assertThat(failure.getIdentifier()).isEqualTo(ID);
                });
        assertThatThrownBy(reservation::lockInterruptibly).isInstanceOf(ReservationAcquisitionException.class);
        store.comeBack();
        awaitNothingLeft(node);
        assertThat(reservation.tryLock()).isTrue();
    }

    @Test
    void tryLockOnBackendFailure_false() throws Exception {
        store.goDown(Kind.UNAVAILABLE);

        assertThat(reservation.tryLock()).isFalse();
        assertThat(reservation.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThatThrownBy(() -> reservation.tryLock(Duration.ZERO, LEASE))
                .isInstanceOf(ReservationAcquisitionException.class);
        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(3);
    }

    @Test
    void tryLockDoesNotSpinOnFailure_andEndsInTime() throws Exception {
        store.goDown(Kind.UNAVAILABLE);
        Future<Boolean> trying = actor("trying").startsAndWaits(() -> reservation.tryLock(1, TimeUnit.SECONDS));

        for (int i = 0; i < 100; i++) {
            backend.passTime(Duration.ofMillis(10));
            Thread.yield();
        }

        assertThat(Actor.result(trying)).isFalse();
        assertThat(store.calls(Op.ACQUIRE)).isBetween(2, 40);
        awaitNothingLeft(node);
    }

    @Test
    void tryLockSucceedsWhenTheStoreComesBackInTime() throws Exception {
        store.goDown(Kind.UNAVAILABLE);
        Future<Boolean> trying = actor("trying").startsAndWaits(() -> reservation.tryLock(1, TimeUnit.HOURS));

        store.comeBack();

        backend.await("the waiter has it", trying::isDone);
        assertThat(Actor.result(trying)).isTrue();
    }

    @Test
    void aStoreThatIsSetUpWronglyMakesEveryFormThrow() {
        store.goDown(Kind.MISCONFIGURED);

        assertThatThrownBy(reservation::lock).isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(() -> reservation.lock(LEASE)).isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(reservation::tryLock).isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(() -> node.tryRun(ID, LockOptions.defaults().waitTime(Duration.ofHours(1)), held -> {}))
                .isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(() -> reservation.tryLock(1, TimeUnit.HOURS))
                .isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);
    }

    @Test
    void whoeverAlreadyWaitsKeepsOnForOneLeaseTime_thenThrows() throws Exception {
        otherNode.getReservation(ID).lock(LONG_LEASE);
        Future<Long> waiting = actor("waiter").startsAndWaits(() -> {
            assertThatThrownBy(reservation::lock).isInstanceOf(ReservationAcquisitionException.class);
            return backend.ticker().nanos();
        });
        long start = backend.ticker().nanos();
        store.goDown(Kind.UNAVAILABLE);
        int before = store.calls(Op.ACQUIRE);
        backend.await("the outage was noticed", () -> store.calls(Op.ACQUIRE) > before);

        backend.passTime(LEASE);

        backend.await("the waiter gave up", waiting::isDone);
        assertThat(Duration.ofNanos(Actor.result(waiting) - start)).isGreaterThanOrEqualTo(LEASE);
        store.comeBack();
        awaitNothingLeft(node);
    }

    @Test
    void whoeverAlreadyWaitsSurvivesAShortOutage() throws Exception {
        otherNode.getReservation(ID).lock(LONG_LEASE);
        Future<?> waiting = actor("waiter").startsAndWaits(() -> reservation.lock());
        store.goDown(Kind.UNAVAILABLE);
        int before = store.calls(Op.ACQUIRE);
        backend.await("the outage was noticed", () -> store.calls(Op.ACQUIRE) > before);

        store.comeBack();
        otherNode.getReservation(ID).unlock();

        backend.await("the waiter has it", waiting::isDone);
        Actor.result(waiting);
    }

    @Test
    @Tag("renewal")
    void contentionIsTriedAgainAndNotSeen() throws Exception {
        for (Op op : new Op[]{Op.ACQUIRE, Op.RENEW, Op.RELEASE}) {
            store.failNext(op, Kind.CONTENTION);
            store.failNext(op, Kind.CONTENTION);
        }
        Future<?> working = actor("worker").starts(() -> {
            reservation.lock();
            reservation.renew();
            reservation.unlock();
        });

        backend.await("the work is done", working::isDone);
        Actor.result(working);
        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(3);
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void contentionThatDoesNotEndIsAFailureAfterFiveRetries() throws Exception {
        store.goDown(Kind.CONTENTION);
        Future<Boolean> trying = actor("trying").starts(() -> reservation.tryLock());

        backend.await("it gave up", trying::isDone);

        assertThat(Actor.result(trying)).isFalse();
        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(6);
    }

    @Test
    void unlockWhileTheStoreIsDown_endsTheHold_throws_andARetryFreesTheKey() throws Exception {
        Duration lease = Duration.ofMinutes(10);
        assertThat(reservation.tryLock(Duration.ZERO, lease)).isTrue();
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(reservation::unlock)
                .isInstanceOf(ReservationException.class)
                .isNotInstanceOf(ReservationExpiredException.class)
                .hasMessageContaining("42");

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(otherNode.getReservation(ID).isLocked()).isTrue();
        backend.await("the release was retried", () -> store.calls(Op.RELEASE) >= 3);
        store.comeBack();
        backend.await("the key is free", () -> !otherNode.getReservation(ID).isLocked());
        awaitNothingLeft(node);
    }

    @Test
    void unlockWhileTheStoreIsDown_letsTheNextLocalWaiterGoOn() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Future<?> waiting = actor("waiter").startsAndWaits(() -> node.getReservation(ID).lock());
        store.failNext(Op.RELEASE, Kind.UNAVAILABLE);
        store.failNext(Op.RELEASE_AND_QUEUE, Kind.UNAVAILABLE);
        store.failNext(Op.PASS, Kind.UNAVAILABLE);

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationException.class);

        backend.await("the waiter has it", waiting::isDone);
        Actor.result(waiting);
    }

    @Test
    void aRelockWhoseRenewalFailsSucceedsOnTheOldDeadline() {
        reservation.lock(LONG_LEASE);
        store.goDown(Kind.UNAVAILABLE);

        assertThat(reservation.tryLock()).isTrue();
        reservation.lock();

        store.comeBack();
        assertThat(reservation.getHoldCount()).isEqualTo(3);
        reservation.unlock();
        reservation.unlock();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    @Tag("renewal")
    void renewWhileTheStoreIsDownThrows_andTheOldLeaseGoesOn() {
        reservation.lock(LONG_LEASE);
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(reservation::renew).isInstanceOf(ReservationException.class);

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        store.comeBack();
        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
    }

    @Test
    void aShortTryLockUnderContentionEndsInTime() throws Exception {
        store.goDown(Kind.CONTENTION);
        Future<Duration> trying = actor("trying").starts(() -> {
            long start = backend.ticker().nanos();
            assertThat(reservation.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
            return Duration.ofNanos(backend.ticker().nanos() - start);
        });

        backend.await("it gave up", trying::isDone);

        assertThat(Actor.result(trying)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void aTryLockWhoseWaitIsOverWhenTheStoreFailsAsksNoMore() throws Exception {
        store.next(Op.ACQUIRE, false, () -> {
            backend.passTime(Duration.ofMillis(30));
            throw new StoreException(Kind.UNAVAILABLE, "Scripted after the wait");
        });

        assertThat(actor("trying").ask(() -> reservation.tryLock(20, TimeUnit.MILLISECONDS))).isFalse();

        assertThat(store.calls(Op.ACQUIRE)).isOne();
    }

    @Test
    void anOutageIsTheSameForAllWhoWait() throws Exception {
        otherNode.getReservation(ID).lock(LONG_LEASE);
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(actor("waiter-" + i).startsAndWaits(() -> node.getReservation(ID).lock()));
        }
        awaitWaiters(node, reservation, 4);
        store.goDown(Kind.UNAVAILABLE);
        int before = store.calls(Op.ACQUIRE);
        backend.await("the outage was noticed", () -> store.calls(Op.ACQUIRE) > before);
        long start = backend.ticker().nanos();

        for (Future<?> future : waiting) {
            backend.await("the waiter gave up", future::isDone);
            assertThat(Actor.failure(future)).isInstanceOf(ReservationAcquisitionException.class);
        }

        assertThat(Duration.ofNanos(backend.ticker().nanos() - start)).isLessThan(LEASE.multipliedBy(3));
        store.comeBack();
        awaitNothingLeft(node);
    }

    @Test
    void readsOfAStoreThatIsDownThrow() {
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);
        assertThatThrownBy(reservation::getRemainingLeaseTime).isInstanceOf(ReservationException.class);
        assertThatThrownBy(reservation::forceUnlock).isInstanceOf(ReservationException.class);
        assertThatThrownBy(node::listReservations).isInstanceOf(ReservationException.class);
        assertThatThrownBy(() -> node.findReservation("any")).isInstanceOf(ReservationException.class);
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThat(reservation.getHoldCount()).isZero();
    }

    @Test
    void anOutageIsNoBusyLockForThoseBehindTheOneWhoAsks() throws Exception {
        store.goDown(Kind.UNAVAILABLE);
        LockOptions longer = LockOptions.defaults().waitTime(Duration.ofSeconds(5));
        LockOptions shorter = LockOptions.defaults().waitTime(Duration.ofSeconds(1));
        Future<?> asks = actor("asks").startsAndWaits(() -> node.run(ID, longer, work -> {}));
        backend.await("the store has failed", () -> store.ended(Op.ACQUIRE) > 1);
        Future<?> behind = actor("behind").startsAndWaits(() -> node.run(ID, shorter, work -> {}));
        Future<?> tries = actor("tries").startsAndWaits(() -> node.tryAcquire(ID, shorter));

        backend.await("their waits end", () -> behind.isDone() && tries.isDone() && asks.isDone());

        assertThat(Actor.failure(behind)).isInstanceOf(ReservationAcquisitionException.class);
        assertThat(Actor.failure(tries)).isInstanceOf(ReservationAcquisitionException.class);
        assertThat(Actor.failure(asks)).isInstanceOf(ReservationAcquisitionException.class);
    }
}
