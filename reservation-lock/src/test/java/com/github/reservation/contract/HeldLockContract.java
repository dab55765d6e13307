// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A handle that any thread may use. */
public abstract class HeldLockContract extends ContractTest {

    /** So that nothing renews it. */
    private static final LockOptions ONE_LEASE = LockOptions.defaults().maxHold(LEASE);

    private final List<LostReservation> told = new CopyOnWriteArrayList<>();
    private LockManager locks;
    private LockManager others;

    @BeforeEach
    void lockManagers() {
        locks = manager;
        others = otherNode;
    }

    private HeldLock heldForOneLease() throws InterruptedException {
        return locks.acquire(ID, ONE_LEASE);
    }

    @Test
    void aHandleIsPassedThroughThreeThreads() throws Exception {
        HeldLock lock = actor("acquires").ask(() -> locks.acquire(ID));

        actor("uses").does(() -> {
            lock.ensureHeld();
            assertThat(lock.isHeld()).isTrue();
        });
        assertThat(actor("releases").ask(lock::release)).isTrue();

        assertThat(lock.isHeld()).isFalse();
        assertThat(otherNode.getReservation(ID).isLocked()).isFalse();
        assertNothingLeft();
    }

    @Test
    void theSecondReleaseDoesNothing() throws Exception {
        HeldLock lock = locks.acquire(ID);
        assertThat(lock.release()).isTrue();
        HeldLock next = others.acquire(ID);

        assertThat(lock.release()).isFalse();
        lock.close();

        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isTrue();
    }

    @Test
    void aReleasedHandleSaysThatItWasReleased() throws Exception {
        HeldLock lock = locks.acquire(ID);
        lock.close();

        assertThat(lock.remaining()).isZero();
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(ID);
    }

    @Test
    void closeThrowsOnceIfTheLockWasLost() throws Exception {
        HeldLock lock = heldForOneLease();

        backend.passTime(PAST_THE_LEASE);
        backend.await("the lock is lost", () -> !lock.isHeld());

        assertThatThrownBy(lock::ensureHeld).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(lock::close).isInstanceOf(ReservationExpiredException.class);
        lock.close();
        assertNothingLeft();
    }

    @Test
    void releaseOfALostLockReturnsFalseAndDoesNotFreeTheNextHolder() throws Exception {
        HeldLock lock = heldForOneLease();
        backend.passTime(PAST_THE_LEASE);
        HeldLock next = Objects.requireNonNull(others.tryAcquire(ID));

        assertThat(lock.release()).isFalse();

        assertThat(next.isHeld()).isTrue();
        assertThat(manager.getReservation(ID).isLocked()).isTrue();
        next.close();
    }

    @Test
    void aLossIsToldOnceToTheListenerOfTheHandle() throws Exception {
        HeldLock lock = heldForOneLease();
        lock.onLost(told::add);
        HeldLock other = locks.acquire("other", LockOptions.defaults().leaseTime(Duration.ofMinutes(5)));
        other.onLost(told::add);

        backend.passTime(PAST_THE_LEASE);

        backend.await("the listener is called", () -> !told.isEmpty());
        lock.release();
        assertThat(told).extracting(LostReservation::identifier).containsExactly(ID);
        assertThat(told.getFirst().reason()).isEqualTo(LossReason.EXPIRED);
        other.close();
    }

    @Test
    void aListenerThatComesAfterTheLossIsCalledAtOnce() throws Exception {
        HeldLock lock = heldForOneLease();
        manager.getReservation(ID).forceUnlock();

        lock.onLost(told::add);

        backend.await("the listener is called", () -> !told.isEmpty());
        assertThat(told).extracting(LostReservation::reason).containsExactly(LossReason.FORCED);
    }

    @Test
    @Tag("renewal")
    void aListenerIsCalledAlthoughTheLockIsReleasedBeforeTheReasonIsFound() throws Exception {
        ScriptedStore deaf = new ScriptedStore(backend.store()).withoutSignals();
        HeldLock lock = nodeOn(deaf).acquire(ID, ONE_LEASE);
        lock.onLost(told::add);
        otherNode.getReservation(ID).forceUnlock();
        deaf.next(Op.FIND, false, lock::release);

        assertThat(lock.renew()).isFalse();

        backend.await("the listener is called", () -> !told.isEmpty());
        assertThat(told).extracting(LostReservation::reason).containsExactly(LossReason.FORCED);
    }

    @Test
    @Tag("renewal")
    void theResultNamesTheReasonThatTheListenersGet() throws Exception {
        ScriptedStore deaf = new ScriptedStore(backend.store()).withoutSignals();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        deaf.next(Op.FIND, false, () -> {
            asked.countDown();
            Actor.awaitUninterruptibly(answer);
        });

        LockOptions renewedLater = LockOptions.defaults().leaseTime(Duration.ofMinutes(10)); // Only the actor renews it.
        LockExecutionResult<?> result = nodeOn(deaf).tryRun(ID, renewedLater, lock -> {
            lock.onLost(told::add);
            otherNode.getReservation(ID).forceUnlock();
            others.acquire(ID);
            actor("renews").starts(() -> lock.renew());
            asked.await();
        });
        answer.countDown();

        backend.await("the listener is called", () -> !told.isEmpty());
        assertThat(result).isInstanceOfSatisfying(Executed.class, executed -> assertThat(executed.lossReason())
                .isEqualTo(LossReason.TAKEN_OVER)
                .isEqualTo(told.getFirst().reason()));
    }

    @Test
    void aSecondCloseOfARegistrationRemovesNoOtherListener() throws Exception {
        HeldLock lock = heldForOneLease();
        Registration removed = lock.onLost(lost -> {});
        lock.onLost(told::add);

        removed.close();
        removed.close();
        manager.getReservation(ID).forceUnlock();

        backend.await("the other listener is called", () -> !told.isEmpty());
    }

    @Test
    void aListenerIsNotCalledAfterARelease() throws Exception {
        HeldLock lock = heldForOneLease();
        lock.onLost(told::add);
        Registration removed = lock.onLost(told::add);
        removed.close();
        lock.close();
        lock.onLost(told::add);

        HeldLock probe = locks.acquire("probe", ONE_LEASE);
        CountDownLatch later = new CountDownLatch(1);
        probe.onLost(lost -> later.countDown());
        backend.passTime(PAST_THE_LEASE);
        later.await();

        assertThat(told).isEmpty();
    }

    @Test
    void aListenerThatThrowsOrBlocksHarmsNothing() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        HeldLock lock = heldForOneLease();
        lock.onLost(lost -> Actor.awaitUninterruptibly(never));
        lock.onLost(lost -> {
            throw new IllegalStateException("Thrown by a listener");
        });
        lock.onLost(told::add);

        backend.passTime(PAST_THE_LEASE);

        backend.await("the third listener is called", () -> !told.isEmpty());
        assertThat(locks.tryRun(ID, held -> {}).isExecuted()).isTrue();
        never.countDown();
    }

    @Test
    @Tag("renewal")
    void aRenewalMakesTheLeaseLonger() throws Exception {
        HeldLock lock = heldForOneLease();
        backend.passTime(LEASE.dividedBy(4));

        assertThat(lock.renew(LEASE.multipliedBy(5))).isTrue();
        assertThat(lock.remaining()).isGreaterThan(LEASE.multipliedBy(4));
        assertThat(lock.renew()).isTrue();
        assertThat(lock.remaining()).isGreaterThan(LEASE.multipliedBy(3));

        backend.passTime(PAST_THE_LEASE);
        assertThat(lock.isHeld()).isTrue();
        assertThat(others.tryAcquire(ID)).isNull();
        lock.close();
    }

    @Test
    @Tag("renewal")
    void aLostLockIsNeverRenewed() throws Exception {
        HeldLock lock = heldForOneLease();
        backend.passTime(PAST_THE_LEASE);

        assertThat(lock.renew()).isFalse();

        assertThat(otherNode.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    @Tag("renewal")
    void aReleasedLockIsNeverRenewed() throws Exception {
        HeldLock lock = heldForOneLease();
        lock.close();

        assertThat(lock.renew()).isFalse();

        assertThat(otherNode.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void theFencingTokenGrows() throws Exception {
        Assumptions.assumeTrue(backend.hasFencing(), "The backend has no fencing tokens");
        HeldLock first = locks.acquire(ID);
        first.close();
        HeldLock second = others.acquire(ID);
        second.close();

        assertThat(second.fencingToken().getAsLong()).isGreaterThan(first.fencingToken().getAsLong());
    }

    @Test
    void theLeaseIsThatOfTheHandle() throws Exception {
        HeldLock lock = heldForOneLease();
        long now = backend.ticker().epochMillis();

        assertThat(lock.lease().name()).isEqualTo(ID);
        assertThat(lock.lease().expiresAt()).isBetween(now, now + LEASE.toMillis() + 1_000);
        assertThat(others.tryAcquire(ID)).isNull();

        manager.lockProvider().release(List.of(lock.lease()));
        assertThat(otherNode.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void aLeaseIsNotLongerThanTheLongestHold() throws Exception {
        LockOptions shortHold =
                LockOptions.defaults().leaseTime(Duration.ofMinutes(5)).maxHold(LEASE);
        HeldLock lock = locks.acquire(ID, shortHold);

        assertThat(lock.remaining()).isLessThanOrEqualTo(LEASE);
        lock.close();
    }
}
