// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.NotAcquired;
import com.github.reservation.lease.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What ends a wait without the reservation: its time, an interrupt, the end of the manager. */
public abstract class GivingUpContract extends ContractTest {

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);
    private static final Duration LONG_PAUSE = Duration.ofMinutes(1);

    @Test
    void tryLockZeroOnFreeLock_true() throws Exception {
        assertThat(manager.getReservation(ID).tryLock(0, TimeUnit.SECONDS)).isTrue();
        assertThat(manager.getReservation("b").tryLock(-1, TimeUnit.DAYS)).isTrue();
        assertThat(manager.getReservation("c").tryLock(Duration.ZERO, LEASE)).isTrue();
    }

    @Test
    void tryLockZeroOnHeldLock_falseAtOnce() throws Exception {
        otherNode.getReservation(ID).lock();

        assertThat(manager.getReservation(ID).tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(manager.getReservation(ID).tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();
    }

    @Test
    void tryLockMaxValueDoesNotOverflow() throws Exception {
        assertThat(manager.getReservation(ID).tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        Actor waiter = actor("waiter");
        Future<Boolean> waiting =
                waiter.startsAndWaits(() -> manager.getReservation(ID).tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
        backend.passTime(Duration.ofMillis(300));
        assertThat(waiting.isDone()).isFalse();

        manager.getReservation(ID).unlock();

        assertThat(Actor.result(waiting)).isTrue();
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(waiter.ask(() -> manager.getReservation("free").tryLock(forever, LEASE))).isTrue();
    }

    @Test
    void aTimedHeadWaiterGivesUpInTime() throws Exception {
        assertThat(otherNode.getReservation(ID).tryLock(Duration.ZERO, Duration.ofMinutes(10))).isTrue();
        long start = backend.ticker().nanos();
        Future<Boolean> waiting = actor("waiter")
                .startsAndWaits(() -> manager.getReservation(ID).tryLock(300, TimeUnit.MILLISECONDS));

        backend.await("the waiter gave up", waiting::isDone);

        assertThat(Actor.result(waiting)).isFalse();
        assertThat(Duration.ofNanos(backend.ticker().nanos() - start))
                .isBetween(Duration.ofMillis(300), Duration.ofSeconds(20));
        awaitNothingLeft(manager);
    }

    /** The pause is longer than the wait, as it often is on Oracle: its waiters pause for up to two seconds. */
    @Test
    void aKeyThatIsFreeWhenTheWaitEndsIsAcquired() throws Exception {
        ScriptedStore store = new ScriptedStore(backend.store()).withoutSignals();
        ReservationManager patient = closeLater(backend.node(DOMAIN, LEASE, store, LONG_PAUSE, LONG_PAUSE));
        otherNode.getReservation(ID).lock(LONG_LEASE);
        Future<Boolean> waiting = actor("waiter")
                .startsAndWaits(() -> patient.getReservation(ID).tryLock(2, TimeUnit.SECONDS));
        backend.await("it was refused", () -> store.ended(Op.ACQUIRE) > 0);
        otherNode.getReservation(ID).unlock();

        backend.await("the wait is over", waiting::isDone);

        assertThat(Actor.result(waiting)).isTrue();
    }

    @Test
    void theEndOfTheWaitIsOneRequestMore() throws Exception {
        ScriptedStore store = new ScriptedStore(backend.store()).withoutSignals();
        ReservationManager patient = closeLater(backend.node(DOMAIN, LEASE, store, LONG_PAUSE, LONG_PAUSE));
        otherNode.getReservation(ID).lock(LONG_LEASE);
        Future<Boolean> waiting = actor("waiter")
                .startsAndWaits(() -> patient.getReservation(ID).tryLock(300, TimeUnit.MILLISECONDS));

        backend.await("the wait is over", waiting::isDone);

        assertThat(Actor.result(waiting)).isFalse();
        assertThat(store.calls(Op.ACQUIRE)).isLessThanOrEqualTo(2);
        awaitNothingLeft(patient);
    }

    @Test
    void tryRunAndTryCallGiveUpInTime_andExecuteNothing() throws Exception {
        assertThat(otherNode.getReservation(ID).tryLock(Duration.ZERO, Duration.ofMinutes(10))).isTrue();
        AtomicInteger executed = new AtomicInteger();
        Duration wait = Duration.ofMillis(300);
        LockOptions options = LockOptions.defaults().waitTime(wait);
        long start = backend.ticker().nanos();
        Future<LockExecutionResult<Void>> running = actor("running")
                .startsAndWaits(() -> manager.tryRun(ID, options, held -> executed.incrementAndGet()));
        Future<LockExecutionResult<Integer>> calling = actor("calling")
                .startsAndWaits(() -> manager.tryCall(ID, options, held -> executed.incrementAndGet()));

        backend.await("both gave up", () -> running.isDone() && calling.isDone());

        assertThat(Actor.result(running)).isEqualTo(new NotAcquired<>());
        assertThat(Actor.result(calling)).isEqualTo(new NotAcquired<>());
        assertThat(Duration.ofNanos(backend.ticker().nanos() - start)).isBetween(wait, Duration.ofSeconds(20));
        assertThat(executed).hasValue(0);
        awaitNothingLeft(manager);
    }

    @Test
    void anInterruptEndsTheWaitOfTryRun_andTheActionNeverRuns() throws Exception {
        otherNode.getReservation(ID).lock();
        AtomicInteger executed = new AtomicInteger();
        Actor waiter = actor("waiter");
        Future<?> waiting = waiter.startsAndWaits(
                () -> manager.tryRun(ID, LockOptions.defaults().waitTime(Duration.ofHours(1)),
                        held -> executed.incrementAndGet()));

        waiter.thread().interrupt();

        assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
        otherNode.getReservation(ID).unlock();
        awaitNothingLeft(manager);
        assertThat(executed).hasValue(0);
    }

    @Test
    void aTimedWaiterBehindAnotherGivesUpInTime_andLeavesNothing() throws Exception {
        otherNode.getReservation(ID).lock();
        Actor first = actor("first");
        Future<?> waitingFirst = first.startsAndWaits(() -> manager.getReservation(ID).lock());
        Future<Boolean> waitingSecond = actor("second")
                .startsAndWaits(() -> manager.getReservation(ID).tryLock(300, TimeUnit.MILLISECONDS));

        backend.passTime(Duration.ofMillis(300));

        assertThat(Actor.result(waitingSecond)).isFalse();
        otherNode.getReservation(ID).unlock();
        backend.await("the first has it", waitingFirst::isDone);
        first.does(() -> manager.getReservation(ID).unlock());
        awaitNothingLeft(manager);
    }

    @Test
    void lockIgnoresInterruptAndRestoresFlag() throws Exception {
        manager.getReservation(ID).lock();
        Actor waiter = actor("waiter");
        Future<Boolean> waiting = waiter.startsAndWaits(() -> {
            manager.getReservation(ID).lock();
            return Thread.interrupted();
        });

        waiter.thread().interrupt();
        backend.passAMoment();
        assertThat(waiting.isDone()).isFalse();
        manager.getReservation(ID).unlock();

        assertThat(Actor.result(waiting)).as("interrupt flag").isTrue();
        assertThat(waiter.ask(() -> manager.getReservation(ID).isHeldByCurrentThread())).isTrue();
    }

    @Test
    @Tag("renewal")
    void lockTryLockAndUnlockKeepAnInterruptThatWasThereBefore() {
        Reservation reservation = manager.getReservation(ID);
        Thread.currentThread().interrupt();

        reservation.lock();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(reservation.tryLock()).isTrue();
        assertThat(reservation.renew()).isTrue();
        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        reservation.unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void interruptibleFormsThrowBeforeTheyAsk() {
        for (Actor.Step step : List.<Actor.Step>of(
                () -> manager.getReservation(ID).lockInterruptibly(),
                () -> manager.getReservation(ID).tryLock(0, TimeUnit.SECONDS),
                () -> manager.getReservation(ID).tryLock(1, TimeUnit.SECONDS),
                () -> manager.getReservation(ID).tryLock(Duration.ofSeconds(1), LEASE),
                () -> manager.tryRun(ID, LockOptions.defaults().waitTime(Duration.ZERO), held -> {}),
                () -> manager.tryCall(ID, LockOptions.defaults().waitTime(Duration.ofSeconds(1)), HeldLock::name))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(step::run).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void interruptedWaiterNeverAcquiresLater() throws Exception {
        for (ReservationManager holder : List.of(manager, otherNode)) {
            holder.getReservation(ID).lock();
            Actor waiter = actor("waiter");
            Future<?> waiting = waiter.startsAndWaits(
                    () -> manager.getReservation(ID).tryLock(1, TimeUnit.HOURS));

            waiter.thread().interrupt();
            assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
            holder.getReservation(ID).unlock();

            assertThat(manager.getReservation(ID).isLocked()).isFalse();
            assertThat(waiter.ask(() -> manager.getReservation(ID).isHeldByCurrentThread())).isFalse();
            assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
            otherNode.getReservation(ID).unlock();
        }
        awaitNothingLeft(manager);
    }

    @Test
    void aHeadThatGivesUpLetsTheNextGoOn() throws Exception {
        Reservation reservation = manager.getReservation(ID);
        otherNode.getReservation(ID).lock();
        Actor head = actor("head");
        Future<?> headWaits = head.startsAndWaits(() -> reservation.lockInterruptibly());
        awaitWaiters(manager, reservation, 1);
        Future<?> nextWaits = actor("next").startsAndWaits(() -> manager.getReservation(ID).lock());
        awaitWaiters(manager, reservation, 2);

        head.thread().interrupt();
        assertThat(Actor.failure(headWaits)).isInstanceOf(InterruptedException.class);
        otherNode.getReservation(ID).unlock();

        backend.await("the next has it", nextWaits::isDone);
        Actor.result(nextWaits);
    }

    @Test
    void waitersOfAClosedManagerGetIllegalState() throws Exception {
        otherNode.getReservation(ID).lock();
        Reservation reservation = manager.getReservation(ID);
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(actor("waiter-" + i).startsAndWaits(() -> reservation.lock()));
        }
        awaitWaiters(manager, reservation, 3);

        manager.close();

        waiting.forEach(future -> assertThat(Actor.failure(future)).isInstanceOf(IllegalStateException.class));
        awaitNothingLeft(manager);
    }
}
