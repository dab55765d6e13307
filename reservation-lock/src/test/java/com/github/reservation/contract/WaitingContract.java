// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.ExecutionResult;
import com.github.reservation.ExecutionResult.NotAcquired;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How threads wait for a reservation, and what ends their wait. */
public abstract class WaitingContract extends ContractTest {

    @Test
    void lockWaitsUntilTheHolderUnlocks() throws Exception {
        manager.getReservation(ID).lock();
        Actor waiter = actor("waiter");
        Future<?> waiting = waiter.startsAndWaits(() -> manager.getReservation(ID).lock());
        assertThat(waiting.isDone()).isFalse();

        manager.getReservation(ID).unlock();

        Actor.result(waiting);
        assertThat(waiter.ask(() -> manager.getReservation(ID).isHeldByCurrentThread())).isTrue();
    }

    @Test
    void lockForALeaseWaitsAndIgnoresInterrupts_likeLock() throws Exception {
        otherNode.getReservation(ID).lock();
        Actor waiter = actor("waiter");
        Future<Boolean> waiting = waiter.startsAndWaits(() -> {
            manager.getReservation(ID).lock(LEASE.multipliedBy(2));
            return Thread.interrupted();
        });
        waiter.thread().interrupt();
        backend.passAMoment();
        assertThat(waiting.isDone()).isFalse();

        otherNode.getReservation(ID).unlock();

        backend.await("the waiter has it", waiting::isDone);
        assertThat(Actor.result(waiting)).as("interrupt flag").isTrue();
        assertThat(waiter.ask(() -> manager.getReservation(ID).getRemainingLeaseTime())).isGreaterThan(LEASE);
    }

    @Test
    void lockWaitsForAHolderOnAnotherNode() throws Exception {
        otherNode.getReservation(ID).lock();
        Future<?> waiting = actor("waiter").startsAndWaits(() -> manager.getReservation(ID).lock());

        otherNode.getReservation(ID).unlock();

        backend.await("the waiter has it", waiting::isDone);
        Actor.result(waiting);
    }

    @Test
    void aWaiterTakesOverALeaseThatNobodyReleases_butNotBeforeItsEnd() throws Exception {
        long start = backend.ticker().nanos();
        otherNode.getReservation(ID).lock();
        Future<Long> waiting = actor("waiter").startsAndWaits(() -> {
            manager.getReservation(ID).lock();
            return backend.ticker().nanos();
        });

        backend.passTime(LEASE);

        backend.await("the waiter has it", waiting::isDone);
        assertThat(Duration.ofNanos(Actor.result(waiting) - start)).isGreaterThanOrEqualTo(LEASE);
    }

    @Test
    void aLocalWaiterTakesOverTheLeaseOfALocalHolderThatForgotIt() throws Exception {
        manager.getReservation(ID).lock();
        Future<?> waiting = actor("waiter").startsAndWaits(() -> manager.getReservation(ID).lock());

        backend.passTime(LEASE.plusMillis(100));

        Actor.result(waiting);
    }

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
    void tryLockOvertakesThoseWhoWaitInTheSameManager() throws Exception {
        ScriptedStore scripted = new ScriptedStore(backend.store()).withoutSignals();
        ReservationManager node = nodeOn(scripted);
        otherNode.getReservation(ID).lock();
        Future<?> waiting = actor("waiter").startsAndWaits(() -> node.getReservation(ID).lock());
        Actor impatient = actor("impatient");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch overtaken = new CountDownLatch(1);
        scripted.next(Op.ACQUIRE, false, () -> {
            asked.countDown();
            Actor.awaitUninterruptibly(overtaken);
        });
        backend.await("the waiter asks again", () -> asked.getCount() == 0);
        otherNode.getReservation(ID).unlock();

        assertThat(impatient.ask(() -> node.getReservation(ID).tryLock())).isTrue();

        overtaken.countDown();
        assertThat(waiting.isDone()).isFalse();
        impatient.does(() -> node.getReservation(ID).unlock());
        backend.await("the waiter has it", waiting::isDone);
        Actor.result(waiting);
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
                .isBetween(Duration.ofMillis(300), Duration.ofMillis(1500));
        awaitNothingLeft(manager);
    }

    @Test
    void tryRunAndTryCallGiveUpInTime_andExecuteNothing() throws Exception {
        assertThat(otherNode.getReservation(ID).tryLock(Duration.ZERO, Duration.ofMinutes(10))).isTrue();
        AtomicInteger executed = new AtomicInteger();
        Duration wait = Duration.ofMillis(300);
        long start = backend.ticker().nanos();
        Future<Boolean> running = actor("running")
                .startsAndWaits(() -> manager.tryRun(ID, wait, LEASE, held -> executed.incrementAndGet()));
        Future<ExecutionResult<Integer>> calling = actor("calling")
                .startsAndWaits(() -> manager.tryCall(ID, wait, LEASE, held -> executed.incrementAndGet()));

        backend.await("both gave up", () -> running.isDone() && calling.isDone());

        assertThat(Actor.result(running)).isFalse();
        assertThat(Actor.result(calling)).isEqualTo(new NotAcquired<>());
        assertThat(Duration.ofNanos(backend.ticker().nanos() - start)).isBetween(wait, wait.multipliedBy(5));
        assertThat(executed).hasValue(0);
        awaitNothingLeft(manager);
    }

    @Test
    void tryRunWaitsForItsTurn() throws Exception {
        otherNode.getReservation(ID).lock();
        AtomicBoolean held = new AtomicBoolean();
        Future<Boolean> running = actor("running").startsAndWaits(() -> manager.tryRun(
                ID, Duration.ofHours(1), LEASE, reservation -> held.set(reservation.isHeldByCurrentThread())));
        assertThat(running.isDone()).isFalse();

        otherNode.getReservation(ID).unlock();

        backend.await("it has run", running::isDone);
        assertThat(Actor.result(running)).isTrue();
        assertThat(held).isTrue();
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitOfTryRun_andTheActionNeverRuns() throws Exception {
        otherNode.getReservation(ID).lock();
        AtomicInteger executed = new AtomicInteger();
        Actor waiter = actor("waiter");
        Future<?> waiting = waiter.startsAndWaits(
                () -> manager.tryRun(ID, Duration.ofHours(1), LEASE, held -> executed.incrementAndGet()));

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
                () -> manager.tryRun(ID, Duration.ZERO, LEASE, held -> {}),
                () -> manager.tryCall(ID, Duration.ofSeconds(1), LEASE, Reservation::getIdentifier))) {
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
    void waitersOfOneManagerAreServedFirstComeFirstServed() throws Exception {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            waiting.add(actor("waiter-" + i).starts(() -> {
                manager.getReservation(ID).lock();
                served.add(number);
                manager.getReservation(ID).unlock();
            }));
            awaitWaiters(manager, reservation, i + 1);
        }

        reservation.unlock();

        waiting.forEach(Actor::result);
        assertThat(served).isSorted().hasSize(10);
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

    @Test
    void aThousandVirtualThreadsOnOneKeyDrain_andTheStoreSeesFewProbes() throws Exception {
        int count = 1_000;
        ScriptedStore counted = new ScriptedStore(backend.store());
        ReservationManager crowded = nodeOn(counted);
        Reservation reservation = crowded.getReservation(ID);
        reservation.lock();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            Thread.ofVirtual().start(() -> {
                Reservation mine = crowded.getReservation(ID);
                mine.lock();
                if (inside.incrementAndGet() != 1) {
                    overlaps.incrementAndGet();
                }
                inside.decrementAndGet();
                mine.unlock();
                served.incrementAndGet();
            });
        }
        awaitWaiters(crowded, reservation, count);
        int probesOfTheWaiting = counted.calls(Op.ACQUIRE);

        reservation.unlock();

        backend.await("all are served", () -> served.get() == count);
        assertThat(overlaps).hasValue(0);
        assertThat(probesOfTheWaiting).as("probes while all wait").isLessThan(100);
        assertThat(counted.calls(Op.ACQUIRE)).as("probes in all").isLessThan(count + 200);
        awaitNothingLeft(crowded);
    }

    @Test
    void aKeyThatIsGivenBackGoesToTheNodeThatHasWaitedLongest() throws Exception {
        assumeTrue(backend.isFairBetweenNodes(), "The backend is not fair between nodes");
        List<String> served = Collections.synchronizedList(new ArrayList<>());
        Reservation here = manager.getReservation(ID);
        here.lock();
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(actor("there-" + i).startsAndWaits(() -> {
                otherNode.getReservation(ID).lock();
                served.add("there");
                otherNode.getReservation(ID).unlock();
            }));
            awaitWaiters(otherNode, here, i + 1);
        }
        for (int i = 0; i < 3; i++) {
            waiting.add(actor("here-" + i).startsAndWaits(() -> {
                manager.getReservation(ID).lock();
                served.add("here");
                manager.getReservation(ID).unlock();
            }));
            awaitWaiters(manager, here, i + 1);
        }

        backend.passTime(Duration.ofMillis(20)); // Longer than a node may stay.
        here.unlock();

        backend.await("all are served", () -> served.size() == 6);
        waiting.forEach(Actor::result);
        assertThat(served).startsWith("there").hasSize(6);
        if (!backend.aNodeMayStay()) {
            assertThat(served).containsExactly("there", "here", "there", "here", "there", "here");
        }
    }
}
