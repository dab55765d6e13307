// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.ScriptedStore.Event;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key is passed to the next thread while the store fails or the next thread leaves. */
public abstract class FailedPassContract extends WithParkedThreads {

    @Test
    void aPassWhoseReplyGotLostIsFoundByTheNextThread() throws Exception {
        reservation.lock(LONG_LEASE);
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());
        store.loseNextReply(Op.PASS);

        reservation.unlock();

        backend.await("the next thread has it", waiting::isDone);
        Actor.result(waiting);
        assertThat(next.ask(reservation::isHeldByCurrentThread)).isTrue();
        next.does(reservation::unlock);
        awaitNothingLeft(node);
        assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"OUTCOME_UNKNOWN", "CONTENTION"})
    void aPassThatFailsIsTriedAgainOrIsARelease(Kind kind) throws Exception {
        Actor holder = actor("holder");
        holder.does(() -> reservation.lock(LONG_LEASE));
        Future<?> waiting = parked(actor("next"), locking());
        store.failNext(Op.PASS, kind);

        Future<?> unlocking = holder.starts(reservation::unlock);

        backend.await("the next thread has it", waiting::isDone);
        Actor.result(waiting);
        Actor.result(unlocking);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "MISCONFIGURED"})
    void anUnlockThatFindsNoStoreSaysSoAfterOneTry(Kind kind) throws Exception {
        reservation.lock(LONG_LEASE);
        Future<?> waiting = parked(actor("next"), locking());
        store.failNext(Op.PASS, kind);

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationException.class);

        assertThat(store.calls(Op.RELEASE_AND_QUEUE)).isZero();
        backend.await("the next thread has it", waiting::isDone);
        Actor.result(waiting);
    }

    @Test
    void aPassThatHangsKeepsNobodyFromAKeyWhoseLeaseIsOver() throws Exception {
        Actor holder = actor("holder");
        holder.does(reservation::lock);
        Future<?> waiting = parked(actor("next"), locking());
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        store.next(Op.PASS, false, () -> {
            hangs.countDown();
            Actor.awaitUninterruptibly(answered);
        });

        Future<?> unlocking = holder.starts(reservation::unlock);
        hangs.await();
        backend.passTime(LEASE);

        backend.await("the next thread has taken over", waiting::isDone);
        Actor.result(waiting);
        answered.countDown();
        assertThat(Actor.failure(unlocking)).isInstanceOf(ReservationExpiredException.class);
        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
    }

    @Test
    void whatIsBroughtToWhoHasStoppedWaitingForItIsGivenBack() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());
        store.next(Op.PASS, true, () -> {
            int asked = store.calls(Op.ACQUIRE);
            backend.passTime(Duration.ofSeconds(2));
            awaitAsked(asked);
        });

        reservation.unlock();

        backend.await("the next thread has a lease of its own", waiting::isDone);
        Actor.result(waiting);
        next.does(reservation::unlock);
        awaitNothingLeft(node);
        assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
    }

    @Test
    void aLeaseThatIsFoundAfterALostReplyCountsFromBeforeToo() throws Exception {
        reservation.lock();
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());
        store.next(Op.PASS, true, afterIt(true, () -> backend.passTime(Duration.ofMillis(500))));

        reservation.unlock();

        backend.await("the next thread has it", waiting::isDone);
        Actor.result(waiting);
        assertThat(next.ask(reservation::getRemainingLeaseTime)).isLessThanOrEqualTo(LEASE.minusMillis(500));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoIsInterruptedMeanwhileLeavesAtOnceAndTheKeyGoesOn(boolean replyLost) throws Exception {
        reservation.lock();
        Actor impatient = actor("impatient");
        Future<?> leaving = parked(impatient, () -> {
            reservation.lockInterruptibly();
            return null;
        });
        Future<?> behind = actor("behind").startsAndWaits(() -> reservation.lock());
        awaitWaiters(node, reservation, 2);
        store.next(Op.PASS, true, afterIt(replyLost, () -> {
            impatient.thread().interrupt();
            assertThat(Actor.failure(leaving)).isInstanceOf(InterruptedException.class);
        }));

        reservation.unlock();

        backend.await("the one behind has it", behind::isDone);
        Actor.result(behind);
        assertThat(impatient.ask(reservation::isHeldByCurrentThread)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoseTimeIsOverMeanwhileLeavesAndNothingStays(boolean replyLost) throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Future<Boolean> leaving =
                parked(actor("impatient"), () -> reservation.tryLock(300, TimeUnit.MILLISECONDS));
        store.next(Op.PASS, true, afterIt(replyLost, () -> {
            backend.passTime(Duration.ofMillis(300));
            assertThat(Actor.result(leaving)).isFalse();
        }));

        reservation.unlock();

        awaitNothingLeft(node);
        assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
    }

    @Test
    void aManagerThatIsClosedMeanwhileLeavesNothing() throws Exception {
        reservation.lock(LONG_LEASE);
        Future<?> waiting = parked(actor("next"), () -> reservation.tryLock(Duration.ofHours(1), LONG_LEASE));
        store.next(Op.PASS, true, () -> {
            node.close();
            assertThat(Actor.failure(waiting)).isInstanceOf(IllegalStateException.class);
        });

        reservation.unlock();

        backend.await("the key is free", () -> otherNode.getReservation(ID).tryLock());
    }

    @Test
    void aGrantThatComesTooLateIsNotTrusted() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        Actor next = actor("next");
        Future<?> waiting = parked(next, locking());
        store.next(Op.PASS, true, () -> {
            backend.passTime(LEASE);
            await("the lease has ended", () -> otherNode.getReservation(ID).tryLock());
        });

        int asked = store.calls(Op.ACQUIRE);
        reservation.unlock();

        backend.await("it asks again", () -> store.calls(Op.ACQUIRE) > asked);
        assertThat(waiting.isDone()).isFalse();
        otherNode.getReservation(ID).unlock();
        backend.await("the next thread has a lease of its own", waiting::isDone);
        Actor.result(waiting);
    }

    private void awaitAsked(int before) {
        await("it asks by itself", () -> store.calls(Op.ACQUIRE) > before);
    }

    private void await(String what, BooleanSupplier condition) {
        try {
            backend.await(what, condition);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Event afterIt(boolean replyLost, Actor.Step step) {
        return () -> {
            try {
                step.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            if (replyLost) {
                throw new StoreException(Kind.OUTCOME_UNKNOWN, "Scripted");
            }
        };
    }
}
