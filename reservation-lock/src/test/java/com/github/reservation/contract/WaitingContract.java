// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How threads wait for a reservation, and in which order they get it. */
public abstract class WaitingContract extends ContractTest {

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

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
    void tryRunWaitsForItsTurn() throws Exception {
        otherNode.getReservation(ID).lock();
        AtomicBoolean held = new AtomicBoolean();
        LockOptions options = LockOptions.defaults().waitTime(Duration.ofHours(1));
        Future<LockExecutionResult<Void>> running =
                actor("running").startsAndWaits(() -> manager.tryRun(ID, options, lock -> held.set(lock.isHeld())));
        assertThat(running.isDone()).isFalse();

        otherNode.getReservation(ID).unlock();

        backend.await("it has run", running::isDone);
        assertThat(Actor.result(running).isExecuted()).isTrue();
        assertThat(held).isTrue();
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void waitersOfOneManagerAreServedFirstComeFirstServed() throws Exception {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock(LONG_LEASE);
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
    void aThousandVirtualThreadsOnOneKeyDrain_andTheStoreSeesFewProbes() throws Exception {
        int count = 1_000;
        ScriptedStore counted = new ScriptedStore(backend.store());
        ReservationManager crowded = closeLater(backend.node(DOMAIN, LONG_LEASE, counted));
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
        assumeTrue(backend.isInManualTime() || backend.aNodeMayStay(),
                "In real time a node may miss its turn of 100 ms");
        List<String> served = Collections.synchronizedList(new ArrayList<>());
        Reservation here = manager.getReservation(ID);
        here.lock(LONG_LEASE);
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

        awaitHandover("all are served", () -> served.size() == 6);
        waiting.forEach(Actor::result);
        assertThat(served).startsWith("there").hasSize(6);
        if (!backend.aNodeMayStay()) {
            assertThat(served).containsExactly("there", "here", "there", "here", "there", "here");
        }
    }
}
