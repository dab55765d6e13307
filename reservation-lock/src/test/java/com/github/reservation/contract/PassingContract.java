// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.store.SignallingStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The threads of one node pass a key to one another. */
public abstract class PassingContract extends WithParkedThreads {

    @Test
    void anUnlockPassesTheKeyToTheNextThreadInOneStep() throws Exception {
        reservation.lock(LONG_LEASE);
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());
        int asked = store.calls(Op.ACQUIRE);

        reservation.unlock();

        Actor.result(waiting);
        assertThat(store.calls(Op.PASS)).isOne();
        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(asked);
        assertThat(store.calls(Op.RELEASE) + store.calls(Op.RELEASE_AND_QUEUE)).isZero();
        assertThat(next.ask(reservation::isHeldByCurrentThread)).isTrue();
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
        next.does(reservation::unlock);
        assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
        awaitNothingLeft(node);
    }

    @Test
    void withoutWaitersNothingIsPassed() {
        reservation.lock();
        reservation.unlock();

        assertThat(store.calls(Op.PASS)).isZero();
        assertThat(store.calls(Op.RELEASE)).isOne();
    }

    @Test
    void theFenceGrowsWithEachPass() throws Exception {
        reservation.lock(LONG_LEASE);
        long first = reservation.fencingToken().orElseThrow();
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());

        reservation.unlock();

        Actor.result(waiting);
        assertThat(next.ask(reservation::fencingToken).orElseThrow()).isGreaterThan(first);
    }

    @Test
    void theLeaseIsTheOneThatTheNextThreadAskedFor() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());

        reservation.unlock();

        Actor.result(waiting);
        assertThat(next.ask(reservation::getRemainingLeaseTime)).isPositive().isLessThanOrEqualTo(LEASE);
        backend.passTime(LEASE);
        backend.await("its lease is over", () -> otherNode.getReservation(ID).tryLock());
    }

    @Test
    void whoHasOnlyTriedDoesNotPassItOnWhileAnotherNodeWaits() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Actor other = actor("other node");
        ScriptedStore otherStore = new ScriptedStore(backend.store());
        Reservation others = nodeOn(otherStore).getReservation(ID);
        Future<?> first = parked(otherStore, other, locking(others));
        Future<?> second = parked(actor("next"), locking());

        reservation.unlock();

        awaitHandover("the other node has it", first::isDone);
        assertThat(second.isDone()).isFalse();
        assertThat(store.mayStay()).isFalse();
        other.does(others::unlock);
        backend.await("then the next thread", second::isDone);
    }

    @Test
    void aNodeThatWaitedBeforeAnotherIsStillBeforeItAfterARelease() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Future<?> first = parked(actor("next"), locking());
        ScriptedStore otherStore = new ScriptedStore(backend.store());
        Future<?> second = parked(otherStore, actor("other node"), locking(nodeOn(otherStore).getReservation(ID)));
        int asked = store.calls(Op.ACQUIRE);

        reservation.unlock();

        Actor.result(first);
        assertThat(second.isDone()).isFalse();
        assertThat(store.calls(Op.RELEASE_AND_QUEUE)).isOne();
        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(asked + 1);
    }

    @Test
    void aNodeThatJoinsTheQueueBehindAnotherDoesNotAskAtOnce() throws Exception {
        assumeTrue(backend.isInManualTime(), "In real time it soon looks again");
        assumeTrue(backend.store() instanceof SignallingStore, "The other node looks when time passes");
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Actor second = actor("second");
        Future<?> secondWaits = parked(second, locking());
        Actor next = actor("next");
        next.starts(locking());
        awaitAtRest("it is parked behind the second", next::isQueued);
        ScriptedStore otherStore = new ScriptedStore(backend.store());
        Future<?> other = parked(otherStore, actor("other node"), locking(nodeOn(otherStore).getReservation(ID)));
        // Else the second could have the key before the unlocking thread wakes the head, which would then be the next.
        CountDownLatch unlocked = new CountDownLatch(1);
        store.next(Op.ACQUIRE, false, () -> Actor.awaitUninterruptibly(unlocked));
        reservation.unlock();
        unlocked.countDown();
        Actor.result(secondWaits);
        backend.passTime(Duration.ofMillis(10));
        int asked = store.calls(Op.ACQUIRE);

        second.does(reservation::unlock);

        Actor.result(other);
        awaitAtRest("it is parked", next::isQueued);
        assertThat(store.calls(Op.RELEASE_AND_QUEUE)).isEqualTo(2);
        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(asked);
    }

    @Test
    void theLeaseCountsFromBeforeItWasAskedFor() throws Exception {
        reservation.lock(LONG_LEASE);
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());
        store.next(Op.PASS, true, () -> backend.passTime(Duration.ofMillis(500)));

        reservation.unlock();

        Actor.result(waiting);
        assertThat(next.ask(reservation::getRemainingLeaseTime)).isLessThanOrEqualTo(LEASE.minusMillis(500));
    }

    @Test
    void aNodeMayStayForTenMillisecondsFromThreadToThread() throws Exception {
        assumeTrue(backend.isInManualTime(), "Ten milliseconds are nothing in real time");
        reservation.lock();
        Actor second = actor("second");
        Future<?> secondWaits = parked(second, locking());

        backend.passTime(Duration.ofMillis(9));
        reservation.unlock();
        Actor.result(secondWaits);
        assertThat(store.mayStay()).isTrue();

        Future<?> thirdWaits = parked(actor("third"), locking());
        backend.passTime(Duration.ofMillis(1));
        second.does(reservation::unlock);
        Actor.result(thirdWaits);
        assertThat(store.mayStay()).isFalse();
    }

    @Test
    void aLeaseThatIsGoneIsNotPassedOn() throws Exception {
        reservation.lock(LONG_LEASE);
        Future<?> waiting = parked(actor("next"), locking());
        store.next(Op.PASS, false,
                () -> assertThat(backend.store().forceRelease(reservation.getReservationKey())).isPresent());

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);

        backend.await("the next thread has it", waiting::isDone);
        Actor.result(waiting);
    }

    @Test
    void whoIsInterruptedWhenItHasTheKeyKeepsBoth() throws Exception {
        reservation.lock(LONG_LEASE);
        Actor next = actor("next");
        Future<Boolean> waiting = parked(next, () -> {
            reservation.lock();
            return Thread.interrupted();
        });
        store.next(Op.PASS, true, () -> next.thread().interrupt());

        reservation.unlock();

        assertThat(Actor.result(waiting)).isTrue();
        assertThat(next.ask(reservation::isHeldByCurrentThread)).isTrue();
    }
}
