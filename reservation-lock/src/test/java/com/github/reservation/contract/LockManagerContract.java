// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockExecutionResult.NotAcquired;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.store.StoreException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that runs under a lock. */
public abstract class LockManagerContract extends ContractTest {

    private static final LockOptions WAITING = LockOptions.defaults().waitTime(Duration.ofMinutes(1));

    private LockManager locks;
    private LockManager others;

    @BeforeEach
    void lockManagers() {
        locks = manager;
        others = otherNode;
    }

    private boolean isLocked() {
        return otherNode.getReservation(ID).isLocked();
    }

    @Test
    void tryLockRunsActionAndReleases() {
        LockExecutionResult<Void> result = locks.tryLock(ID, lock -> {
            assertThat(isLocked()).isTrue();
            assertThat(lock.isHeld()).isTrue();
        });

        assertThat(result).isInstanceOfSatisfying(Executed.class, executed -> {
            assertThat(executed.wasHeldToTheEnd()).isTrue();
            assertThat(executed.lease().name()).isEqualTo(ID);
        });
        assertThat(isLocked()).isFalse();
        assertNothingLeft();
    }

    @Test
    void tryLockReturnsValue() {
        LockExecutionResult<String> result = locks.tryLock(ID, lock -> {
            return lock.name() + "!";
        });

        assertThat(result.isExecuted()).isTrue();
        assertThat(result.orElse("other")).isEqualTo(ID + "!");
    }

    @Test
    void workMayReturnNull() {
        LockExecutionResult<String> result = locks.tryCall(ID, lock -> null);

        assertThat(result.isExecuted()).isTrue();
        assertThat(result.orElse("other")).isNull();
    }

    @Test
    void tryLockBusy_notAcquired() {
        try (HeldLock held = others.tryAcquire(ID)) {
            assertThat(held).isNotNull();

            LockExecutionResult<String> result = locks.tryCall(ID, lock -> "done");

            assertThat(result).isEqualTo(new NotAcquired<>());
            assertThat(result.orElse("busy")).isEqualTo("busy");
            assertThatThrownBy(() -> result.orElseThrow(IOException::new)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void tryLockActionThrows_releasedAndRethrown() {
        assertThatThrownBy(() -> locks.tryRun(ID, lock -> {
            throw new IOException("no paper");
        })).isInstanceOf(IOException.class).hasMessage("no paper").hasNoSuppressedExceptions();

        assertThat(isLocked()).isFalse();
        assertNothingLeft();
    }

    @Test
    void handlesExcludeReservationsOfOneName_alsoOfOneThread() {
        manager.getReservation(ID).lock();
        assertThat(locks.tryAcquire(ID)).isNull();
        assertThat(others.tryAcquire(ID)).isNull();
        manager.getReservation(ID).unlock();

        try (HeldLock handle = locks.tryAcquire(ID)) {
            assertThat(handle).isNotNull();
            assertThat(locks.tryAcquire(ID)).isNull();
            assertThat(locks.tryRun(ID, lock -> {}).isExecuted()).isFalse();
            assertThat(manager.getReservation(ID).tryLock()).isFalse();
        }
    }

    @Test
    void aLossDuringTheWorkIsInTheResultAndReachesTheListeners() throws Exception {
        List<LostReservation> told = new CopyOnWriteArrayList<>();
        manager.onLost(told::add);

        LockExecutionResult<String> result = locks.tryCall(ID, lock -> {
            manager.getReservation(ID).forceUnlock();
            assertThat(lock.isHeld()).isFalse();
            return "done";
        });

        assertThat(result).isInstanceOfSatisfying(Executed.class, executed -> {
            assertThat(executed.value()).isEqualTo("done");
            assertThat(executed.lossReason()).isEqualTo(LossReason.FORCED);
            assertThat(executed.wasHeldToTheEnd()).isFalse();
        });
        backend.await("the listener is called", () -> !told.isEmpty());
        assertThat(told).extracting(LostReservation::reason).containsExactly(LossReason.FORCED);
    }

    @Test
    void aLossDuringWorkThatThrowsIsSuppressed() {
        assertThatThrownBy(() -> locks.tryRun(ID, lock -> {
            manager.getReservation(ID).forceUnlock();
            throw new IOException("no paper");
        })).isInstanceOf(IOException.class).satisfies(thrown -> assertThat(thrown.getSuppressed())
                .singleElement()
                .isInstanceOf(ReservationExpiredException.class));
    }

    @Test
    void whoWaitsGetsTheLockWhenItIsReleased() throws Exception {
        HeldLock held = others.acquire(ID);
        Actor waiter = actor("waiter");
        Future<LockExecutionResult<String>> result =
                waiter.startsAndWaits(() -> locks.tryCall(ID, WAITING, lock -> "done"));

        held.close();

        backend.await("the waiter is done", result::isDone);
        assertThat(Actor.result(result).orElse("busy")).isEqualTo("done");
    }

    @Test
    void threadsOfOneManagerQueue() throws Exception {
        HeldLock held = locks.acquire(ID);
        Future<HeldLock> first = actor("first").startsAndWaits(() -> locks.acquire(ID));
        awaitWaiters(manager, manager.getReservation(ID), 1);
        Future<HeldLock> second = actor("second").startsAndWaits(() -> locks.acquire(ID));
        awaitWaiters(manager, manager.getReservation(ID), 2);

        held.close();
        backend.await("the first has the lock", first::isDone);
        assertThat(second.isDone()).isFalse();
        Actor.result(first).close();
        backend.await("the second has the lock", second::isDone);
        Actor.result(second).close();
        awaitNothingLeft(manager);
    }

    @Test
    void aWaitThatIsTooShortEndsWithoutTheLock() throws Exception {
        HeldLock held = others.acquire(ID, LockOptions.defaults().leaseTime(Duration.ofMinutes(1)));
        LockOptions shortWait = LockOptions.defaults().waitTime(Duration.ofMillis(50));

        Future<HeldLock> tried = actor("tries").starts(() -> locks.tryAcquire(ID, shortWait));
        backend.await("the first wait is over", tried::isDone);
        assertThat(Actor.result(tried)).isNull();

        Future<HeldLock> acquired = actor("acquires").starts(() -> locks.acquire(ID, shortWait));
        backend.await("the second wait is over", acquired::isDone);
        assertThat(Actor.failure(acquired))
                .isInstanceOf(ReservationBusyException.class)
                .hasMessageContaining(ID)
                .hasMessageContaining("PT0.05S");
        held.close();
    }

    @Test
    void aWaitCanBeInterrupted() throws Exception {
        HeldLock held = others.acquire(ID, LockOptions.defaults().leaseTime(Duration.ofMinutes(1)));
        Actor waiter = actor("waiter");
        Future<HeldLock> waiting = waiter.startsAndWaits(() -> locks.acquire(ID));

        waiter.thread().interrupt();

        backend.await("the wait is over", waiting::isDone);
        assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
        held.close();
        awaitNothingLeft(manager);
    }

    @Test
    void aStoreThatIsDownIsAnExceptionAndNotABusyLock() {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockManager onFailing = nodeOn(store);
        store.goDown(Kind.UNAVAILABLE);

        LockOptions once = LockOptions.defaults().waitTime(Duration.ZERO);
        for (ThrowingCallable attempt : List.<ThrowingCallable>of(
                () -> onFailing.tryRun(ID, lock -> {}),
                () -> onFailing.tryRun(ID, once, lock -> {}),
                () -> onFailing.tryCall(ID, lock -> "done"),
                () -> onFailing.tryAcquire(ID),
                () -> onFailing.tryAcquire(ID, once),
                () -> onFailing.acquire(ID, once),
                () -> onFailing.run(ID, lock -> {}),
                () -> onFailing.call(ID, once, lock -> "done"))) {
            assertThatThrownBy(attempt)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining(ID);
        }
    }

    @Test
    void aReleaseWithoutAnAnswerDoesNotChangeTheResult() throws Exception {
        ScriptedStore store = new ScriptedStore(backend.store());
        ReservationManager node = nodeOn(store);

        LockExecutionResult<String> result = node.tryCall(ID, lock -> {
            store.goDown(Kind.UNAVAILABLE);
            return "done";
        });

        assertThat(result).isInstanceOfSatisfying(Executed.class, executed -> {
            assertThat(executed.value()).isEqualTo("done");
            assertThat(executed.wasHeldToTheEnd()).isTrue();
        });
        store.comeBack();
        awaitNothingLeft(node);
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aLostReplyToTheAcquisitionLeavesNoGhost() {
        ScriptedStore store = new ScriptedStore(backend.store());
        store.loseNextReply(ScriptedStore.Op.ACQUIRE);

        assertThat(nodeOn(store).tryCall(ID, lock -> "done").orElse("busy")).isEqualTo("done");

        assertThat(isLocked()).isFalse();
    }

    @Test
    void badArgumentsAreRefusedBeforeAnythingIsSent() {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockManager onCounted = nodeOn(store);

        assertThatThrownBy(() -> onCounted.tryRun("", lock -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lockName");
        assertThatThrownBy(() -> onCounted.tryRun("a::b", lock -> {})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> onCounted.tryRun(ID, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> onCounted.acquire(ID, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> LockOptions.defaults().leaseTime(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leaseTime");
        assertThatThrownBy(() -> LockOptions.defaults().maxHold(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxHold");
        assertThat(store.calls(ScriptedStore.Op.ACQUIRE)).isZero();
    }

    @Test
    void aClosedManagerLocksNothing() {
        manager.close();

        assertThatThrownBy(() -> locks.tryRun(ID, lock -> {})).isInstanceOf(IllegalStateException.class);
    }
}
