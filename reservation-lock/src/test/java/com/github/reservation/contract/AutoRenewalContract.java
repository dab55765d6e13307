// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationEvent;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.internal.lock.ManagerProbe;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lease that is renewed while it is needed: not longer, and never back to life. */
@Tag("renewal")
public abstract class AutoRenewalContract extends ContractTest {

    private static final Duration MAX_HOLD = Duration.ofMinutes(10);

    private final List<LostReservation> told = new CopyOnWriteArrayList<>();
    private ScriptedStore store;
    private ReservationManager renewing;
    private LockManager locks;
    private Reservation reservation;

    @BeforeEach
    void renewAutomatically() {
        store = new ScriptedStore(backend.store());
        renewing = closeLater(backend.renewingNode(DOMAIN, LEASE, MAX_HOLD, store));
        renewing.onLost(told::add);
        locks = renewing;
        reservation = renewing.getReservation(ID);
    }

    /** Lets time pass as long as each renewal comes in time. */
    private void passTimeRenewed(Duration duration, Supplier<Duration> remaining) throws InterruptedException {
        Duration step = LEASE.dividedBy(8);
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(step)) {
            backend.passTime(step);
            awaitAtRest("a renewal", () -> remaining.get().compareTo(LEASE.dividedBy(2)) > 0);
        }
    }

    /** Waits for an effect that time brings; slowly, so that the renewing thread can keep up. */
    private void passTimeUntil(String what, BooleanSupplier condition) throws InterruptedException {
        Duration step = Duration.ofMillis(25);
        for (int i = 0; i < 1_200 && !condition.getAsBoolean(); i++) {
            backend.passTime(step);
            if (backend.isInManualTime()) {
                Thread.sleep(step);
            }
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }

    private boolean isFree(String name) {
        return !otherNode.getReservation(name).isLocked();
    }

    private void awaitLoss(LossReason reason) throws InterruptedException {
        backend.await("the loss is reported", () -> !told.isEmpty());
        assertThat(told).extracting(LostReservation::reason).containsExactly(reason);
    }

    @Test
    void aReservationAndAHandleOutliveThreeLeases() throws Exception {
        reservation.lock();
        HeldLock lock = manager.acquire("handle");

        passTimeRenewed(LEASE.multipliedBy(3), () -> Collections.min(
                List.of(reservation.getRemainingLeaseTime(), lock.remaining())));

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
        assertThat(otherNode.getReservation("handle").tryLock()).isFalse();
        reservation.unlock();
        assertThat(isFree(ID)).isTrue();
        assertThat(lock.release()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void nothingIsRenewedAfterTheRelease() throws Exception {
        Set<String> renewed = ConcurrentHashMap.newKeySet();
        renewing.onEvent(new ReservationListener() {
            @Override
            public void onRenewed(ReservationEvent event) {
                renewed.add(event.identifier());
            }
        });
        reservation.lock();
        HeldLock lock = locks.acquire("other");
        passTimeRenewed(LEASE.dividedBy(2), lock::remaining);
        awaitAtRest("the listener has heard of it", () -> renewed.containsAll(Set.of(ID, "other")));

        reservation.unlock();
        lock.close();
        awaitNothingLeft(renewing);
        renewed.clear();
        HeldLock another = locks.acquire("another");
        passTimeRenewed(LEASE, another::remaining);
        another.close();

        awaitAtRest("the listener is called", () -> !renewed.isEmpty());
        assertThat(renewed).containsExactly("another");
        assertThat(isFree(ID)).isTrue();
        assertThat(isFree("other")).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void aRenewalThatIsUnderWayDoesNotBringAReleasedLockBack() throws Exception {
        HeldLock lock = locks.acquire(ID);
        store.next(Op.RENEW, false, () -> lock.release());

        backend.passTime(LEASE.dividedBy(3));
        awaitAtRest("the renewal was answered", () -> store.ended(Op.RENEW) > 0);

        awaitNothingLeft(renewing);
        assertThat(isFree(ID)).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void theLongestHoldEndsTheRenewals() throws Exception {
        Duration maxHold = LEASE.multipliedBy(2);
        long start = backend.ticker().epochMillis();
        HeldLock lock = locks.acquire(ID, LockOptions.defaults().maxHold(maxHold));
        long acquired = backend.ticker().epochMillis();
        lock.onLost(told::add);

        passTimeUntil("the lock is lost", () -> !lock.isHeld());

        assertThat(lock.lease().expiresAt())
                .isBetween(
                        start + maxHold.minus(LEASE.dividedBy(4)).toMillis(),
                        acquired + maxHold.plus(LEASE.dividedBy(2)).toMillis());
        backend.await("both listeners are called", () -> told.size() == 2);
        assertThat(told).extracting(LostReservation::reason).containsOnly(LossReason.MAX_HOLD_REACHED);
        backend.await("the lock is free", () -> isFree(ID));
        assertThatThrownBy(lock::close).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void aRenewalWhoseReplyIsLostIsNotALoss() throws Exception {
        store.loseNextReply(Op.RENEW);
        HeldLock lock = locks.acquire(ID);

        passTimeRenewed(LEASE.multipliedBy(3).dividedBy(2), lock::remaining);

        assertThat(store.calls(Op.RENEW)).isGreaterThan(1);
        assertThat(lock.release()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void anOutageThatIsShorterThanTheLeaseIsSurvived() throws Exception {
        HeldLock lock = locks.acquire(ID);
        store.goDown(Kind.UNAVAILABLE);
        backend.await("a renewal was tried", () -> store.calls(Op.RENEW) > 0);

        store.comeBack();

        passTimeRenewed(LEASE, lock::remaining);
        assertThat(lock.release()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void anOutageThatIsLongerThanTheLeaseIsToldOnce() throws Exception {
        HeldLock lock = locks.acquire(ID);
        backend.passTime(LEASE.dividedBy(8));
        store.goDown(Kind.UNAVAILABLE);

        passTimeUntil("the lock is lost", () -> !lock.isHeld());

        awaitLoss(LossReason.STORE_UNREACHABLE);
        store.comeBack();
        backend.await("the lock is free", () -> isFree(ID));
        backend.passTime(LEASE.dividedBy(2)); // A renewal that is still planned would come after a third.
        assertThat(lock.isHeld()).isFalse();
        assertThat(isFree(ID)).isTrue();
        assertThat(told).hasSize(1);
    }

    @Test
    void aCallThatHangsDoesNotStopTheRenewals() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        store.next(Op.RENEW, false, () -> Actor.awaitUninterruptibly(answers));
        HeldLock lock = locks.acquire(ID);
        long firstEnd = lock.lease().expiresAt();
        try {
            passTimeUntil("the lease is sent again and renewed, or lost", () -> lock.lease().expiresAt() > firstEnd
                    || !lock.isHeld());
            HeldLock later = locks.acquire("later");
            passTimeRenewed(LEASE.multipliedBy(2), later::remaining);
            assertThat(later.release()).isTrue();
        } finally {
            answers.countDown();
        }

        assertThat(lock.release()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsDueBehindACallThatHangsIsLostBecauseOfTheStore() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        store.always(Op.RENEW, () -> Actor.awaitUninterruptibly(answers));
        HeldLock first = locks.acquire(ID);
        HeldLock second = locks.acquire("other", LockOptions.defaults().leaseTime(LEASE.plusMillis(1)));
        try {
            passTimeUntil("both are lost", () -> !first.isHeld() && !second.isHeld());
            backend.await("both losses are reported", () -> told.size() == 2);
        } finally {
            store.comeBack();
            answers.countDown();
        }

        assertThat(told).extracting(LostReservation::reason).containsOnly(LossReason.STORE_UNREACHABLE);
    }

    @Test
    void aLeaseAtWhichTheStoreCannotLookIsNotLost_andCostsNoOther() throws Exception {
        HeldLock lock = locks.acquire(ID);
        HeldLock other = locks.acquire("other");
        long firstEnd = lock.lease().expiresAt();
        store.leaveUndecided(DOMAIN + "::" + ID);
        backend.passTime(LEASE.dividedBy(3));
        awaitAtRest("the other is renewed", () -> other.remaining().compareTo(LEASE.dividedBy(2)) > 0);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.lease().expiresAt()).isEqualTo(firstEnd);

        store.comeBack();
        passTimeUntil("the lease is sent again and renewed, or lost", () -> lock.lease().expiresAt() > firstEnd
                || !lock.isHeld());

        assertThat(lock.release()).isTrue();
        assertThat(other.release()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void aLockThatWasForcedIsNotRenewedBackToLife() throws Exception {
        HeldLock lock = locks.acquire(ID);
        backend.passTime(LEASE.dividedBy(8));
        otherNode.getReservation(ID).forceUnlock();
        Reservation next = otherNode.getReservation(ID);
        next.lock(MAX_HOLD);
        backend.passTime(LEASE.dividedBy(4)); // Until a renewal is due. The renewing thread may be late, so no more time passes.

        awaitAtRest("the lock is lost", () -> !lock.isHeld());

        awaitAtRest("the loss is reported", () -> !told.isEmpty());
        assertThat(lock.release()).isFalse();
        assertThat(next.isHeldByCurrentThread()).isTrue();
        next.unlock();
        assertThat(told).hasSize(1);
    }

    @Test
    void aThreadThatHasEndedIsNotRenewed() throws Exception {
        Actor dying = new Actor("dies");
        dying.does(reservation::lock);
        dying.close();
        dying.thread().join();

        backend.await("the reservation is free", () -> isFree(ID));

        backend.await("the loss is reported", () -> !told.isEmpty());
        assertThat(told).extracting(LostReservation::reason).containsExactly(LossReason.EXPIRED);
    }

    @Test
    void aClosedManagerRenewsNothing() throws Exception {
        HeldLock lock = locks.acquire(ID);
        reservation = renewing.getReservation("other");
        reservation.lock();

        renewing.close();

        backend.await("the locks are free", () -> isFree(ID) && isFree("other"));
        assertThat(lock.isHeld()).isFalse();
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        backend.await("the thread has ended", () -> new ManagerProbe(renewing).renewalThread() == null);
    }

    @Test
    void manyLocksAreRenewedTogether() throws Exception {
        Duration lease = LEASE.multipliedBy(3); // Some backends renew them one by one.
        Map<HeldLock, Long> firstEnds = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            HeldLock lock = locks.acquire("many-" + i, LockOptions.defaults().leaseTime(lease));
            firstEnds.put(lock, lock.lease().expiresAt());
        }

        backend.passTime(lease.dividedBy(3));
        awaitAtRest("every lock is renewed", () -> firstEnds.entrySet().stream()
                .allMatch(lock -> lock.getKey().lease().expiresAt() > lock.getValue()));

        assertThat(firstEnds.keySet()).allMatch(HeldLock::isHeld);
        assertThat(store.calls(Op.RENEW)).isLessThan(30);
        firstEnds.keySet().forEach(HeldLock::close);
        awaitNothingLeft(renewing);
    }

    @Test
    void aThreadThatHasNothingToRenewEnds() throws Exception {
        locks.acquire(ID).close();
        ManagerProbe probe = new ManagerProbe(renewing);
        assertThat(probe.renewalThread()).isNotNull();

        if (backend.isInManualTime()) {
            awaitAtRest("the thread has ended", () -> {
                backend.passTime(Duration.ofSeconds(1)); // It may begin to wait only now.
                return probe.renewalThread() == null;
            });
        }

        HeldLock lock = locks.acquire(ID);
        assertThat(probe.renewalThread()).isNotNull();
        lock.close();
    }
}
