// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when the store fails, before or after it did what it was asked. */
public abstract class FailureContract extends ContractTest {

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

    private ScriptedStore store;
    private ReservationManager node;
    private Reservation reservation;

    @BeforeEach
    void putTheScriptInFront() {
        store = new ScriptedStore(backend.store());
        node = nodeOn(store);
        reservation = node.getReservation(ID);
    }

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
        assertThat(node.tryRun(ID, Duration.ZERO, LEASE, Reservation::unlock)).isFalse();
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
        assertThatThrownBy(() -> node.tryRun(ID, Duration.ofHours(1), LEASE, Reservation::unlock))
                .isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(() -> reservation.tryLock(1, TimeUnit.HOURS))
                .isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);
    }

    @Test
    void whoeverAlreadyWaitsKeepsOnForOneLeaseTime_thenThrows() throws Exception {
        otherNode.getReservation(ID).lock();
        Future<?> waiting = actor("waiter").startsAndWaits(() -> reservation.lock());
        store.goDown(Kind.UNAVAILABLE);
        int before = store.calls(Op.ACQUIRE);
        backend.await("the outage was noticed", () -> store.calls(Op.ACQUIRE) > before);

        backend.passTime(LEASE.dividedBy(2));
        assertThat(waiting.isDone()).isFalse();
        backend.passTime(LEASE);

        backend.await("the waiter gave up", waiting::isDone);
        assertThat(Actor.failure(waiting)).isInstanceOf(ReservationAcquisitionException.class);
        store.comeBack();
        awaitNothingLeft(node);
    }

    @Test
    void whoeverAlreadyWaitsSurvivesAShortOutage() throws Exception {
        otherNode.getReservation(ID).lock();
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
    void lostReplyToAcquire_isResolvedByLooking() {
        store.loseNextReply(Op.ACQUIRE);

        assertThat(reservation.tryLock()).isTrue();

        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(1);
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.getHoldCount()).isEqualTo(1);
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void anAcquireThatNeverArrivedIsSentAgain() {
        store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);

        assertThat(reservation.tryLock()).isTrue();

        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(2);
        reservation.unlock();
    }

    @Test
    void lostReplyToAcquireOfAHeldKey_isARefusal() {
        otherNode.getReservation(ID).lock();
        store.loseNextReply(Op.ACQUIRE);

        assertThat(reservation.tryLock()).isFalse();

        assertThat(otherNode.getReservation(ID).isHeldByCurrentThread()).isTrue();
        otherNode.getReservation(ID).unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void anAcquireInDoubtThatIsGivenUpLeavesNoGhost() throws Exception {
        store.loseNextReply(Op.ACQUIRE);
        store.failNext(Op.FIND, Kind.UNAVAILABLE);

        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isFalse();

        backend.await("the ghost is gone", () -> !otherNode.getReservation(ID).isLocked());
        awaitNothingLeft(node);
    }

    @Test
    void anAcquireInDoubtThatGoesOnFindsItsOwnGrant() throws Exception {
        store.loseNextReply(Op.ACQUIRE);
        store.failNext(Op.FIND, Kind.UNAVAILABLE);
        Actor worker = actor("worker");
        Future<Boolean> trying = worker.startsAndWaits(() -> reservation.tryLock(1, TimeUnit.HOURS));

        backend.await("it found out", trying::isDone);

        assertThat(Actor.result(trying)).isTrue();
        worker.does(reservation::unlock);
        assertThat(reservation.isLocked()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    @Tag("renewal")
    void lostReplyToRenew_isResolved() {
        reservation.lock();
        backend.passTime(LEASE.dividedBy(2));
        store.loseNextReply(Op.RENEW);

        assertThat(reservation.renew()).isTrue();

        backend.passTime(LEASE.multipliedBy(3).dividedBy(4));
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
    }

    @Test
    void lostReplyToRelease_isResolved() {
        reservation.lock();
        store.loseNextReply(Op.RELEASE);

        reservation.unlock();

        assertThat(reservation.isLocked()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aReleaseThatNeverArrivedIsSentAgain() {
        reservation.lock();
        store.failNext(Op.RELEASE, Kind.OUTCOME_UNKNOWN);

        reservation.unlock();

        assertThat(reservation.isLocked()).isFalse();
        assertThat(store.calls(Op.RELEASE)).isEqualTo(2);
    }

    @Test
    void aReleaseThatArrivesAfterTheLook_isARelease() {
        reservation.lock();
        store.failNext(Op.RELEASE, Kind.OUTCOME_UNKNOWN);
        store.next(Op.FIND, true, () -> backend.store().forceRelease(reservation.getReservationKey()));

        reservation.unlock();

        assertThat(reservation.isLocked()).isFalse();
        assertThat(store.calls(Op.RELEASE)).isEqualTo(2);
    }

    @Test
    void anAcquireThatArrivesAfterTheUnlock_leavesNoGhost() throws Exception {
        store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);
        reservation.lock();
        LeaseId lease = backend.store().find(reservation.getReservationKey()).orElseThrow().id();
        reservation.unlock();

        backend.store().acquire(AcquireRequest.once(lease, Duration.ofHours(1), "late"));

        Reservation theirs = otherNode.getReservation(ID);
        backend.await("no ghost holds the key", theirs::tryLock);
        theirs.unlock();
    }

    @Test
    void lostReplyToALateRelease_isALoss() {
        reservation.lock();
        backend.passTime(LEASE.plusMillis(100));
        store.loseNextReply(Op.RELEASE);

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void unlockWhileTheStoreIsDown_endsTheHold_throws_andTheCleanerFreesTheKey() throws Exception {
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
        backend.await("the cleaner has tried", () -> store.calls(Op.RELEASE) >= 3);
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
        reservation.lock();
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
        reservation.lock();
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(reservation::renew).isInstanceOf(ReservationException.class);

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        store.comeBack();
        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
    }

    @Test
    void aGrantThatArrivesAfterItsTimeIsNotTrusted_andGivenBack() throws Exception {
        store.next(Op.ACQUIRE, true, () -> backend.passTime(LEASE.minusMillis(20)));

        assertThat(reservation.tryLock()).isFalse();

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        backend.await("it was given back", () -> store.calls(Op.RELEASE) > 0);
        awaitNothingLeft(node);
    }

    @Test
    void anInterruptThatBreaksTheCallIsNoStoreFailure_lockGoesOn() {
        store.next(Op.ACQUIRE, true, () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        });

        reservation.lock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
    }

    @Test
    void anInterruptThatBreaksTheCallEndsAnInterruptibleWait_andWhatWasGrantedIsUndone() throws Exception {
        store.next(Op.ACQUIRE, true, () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        });

        assertThatThrownBy(() -> reservation.tryLock(Duration.ofHours(1), LONG_LEASE))
                .isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        backend.await("the grant is undone", () -> !otherNode.getReservation(ID).isLocked());
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    void anInterruptThatBreaksAReleaseIsKept_andTheKeyIsFree() {
        reservation.lock();
        store.next(Op.RELEASE, false, () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        });

        reservation.unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void aStoreThatThrowsWhatItShouldNotIsAnOutcomeUnknown() throws Exception {
        store.next(Op.ACQUIRE, true, () -> {
            throw new IllegalStateException("A bug in a driver");
        });
        store.next(Op.RELEASE, true, () -> {
            throw new IllegalStateException("A bug in a driver");
        });

        assertThat(reservation.tryLock()).isTrue();
        reservation.unlock();

        assertThat(reservation.isLocked()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    void anErrorAfterTheGrantLeavesNoGhost() throws Exception {
        store.next(Op.ACQUIRE, true, () -> {
            throw new StackOverflowError("in a driver");
        });

        assertThatThrownBy(() -> reservation.tryLock(Duration.ZERO, LONG_LEASE)).isInstanceOf(StackOverflowError.class);

        backend.await("the ghost is gone", () -> !otherNode.getReservation(ID).isLocked());
        awaitNothingLeft(node);
    }

    @Test
    void anErrorInAReleaseIsMadeUpFor() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        store.next(Op.RELEASE, false, () -> {
            throw new StackOverflowError("in a driver");
        });

        assertThatThrownBy(reservation::unlock).isInstanceOf(StackOverflowError.class);

        backend.await("the key is free", () -> !otherNode.getReservation(ID).isLocked());
        awaitNothingLeft(node);
    }

    @Test
    @Tag("renewal")
    void theLeaseIsCountedFromBeforeTheRequestWasSent() {
        Duration slow = LEASE.dividedBy(4);
        store.next(Op.ACQUIRE, true, () -> backend.passTime(slow));

        reservation.lock();

        assertThat(reservation.getRemainingLeaseTime()).isPositive().isLessThanOrEqualTo(LEASE.minus(slow));
        store.next(Op.RENEW, true, () -> backend.passTime(slow));
        assertThat(reservation.renew()).isTrue();
        assertThat(reservation.getRemainingLeaseTime()).isPositive().isLessThanOrEqualTo(LEASE.minus(slow));
        reservation.unlock();
    }

    @Test
    void aLeaseFoundByLookingIsCountedFromBeforeTheQuestionInDoubt() {
        store.loseNextReply(Op.ACQUIRE);
        store.next(Op.FIND, false, () -> backend.passTime(LEASE.dividedBy(2)));

        reservation.lock();

        assertThat(reservation.getRemainingLeaseTime()).isPositive().isLessThanOrEqualTo(LEASE.dividedBy(2));
        reservation.unlock();
    }

    @Test
    @Tag("renewal")
    void aRenewalThatAnswersAfterTheLeaseWasOverIsALoss() {
        reservation.lock();
        store.next(Op.RENEW, false, () -> backend.passTime(LEASE.minusMillis(20)));

        assertThat(reservation.renew(Duration.ofMillis(10))).isFalse();

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void aRelockWhoseRenewalFailsAfterTheLeaseWasOverAcquiresAnew() {
        reservation.lock();
        store.next(Op.RENEW, false, () -> {
            backend.passTime(LEASE);
            throw new StoreException(Kind.UNAVAILABLE, "A slow failure");
        });

        reservation.lock();

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.getHoldCount()).isEqualTo(1);
        reservation.unlock();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void theCleanerGoesOnUntilALeaseEndsThatMayHaveBeenRenewed() throws Exception {
        reservation.lock();
        store.loseReplies(Op.RENEW);
        assertThatThrownBy(() -> reservation.renew(LONG_LEASE)).isInstanceOf(ReservationException.class);
        store.goDown(Kind.UNAVAILABLE);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationException.class);
        backend.passTime(LEASE.multipliedBy(2));
        int tries = store.calls(Op.RELEASE);
        backend.await("the cleaner still tries", () -> store.calls(Op.RELEASE) > tries);

        store.comeBack();

        backend.await("the key is free", () -> !otherNode.getReservation(ID).isLocked());
        awaitNothingLeft(node);
    }

    @Test
    @Tag("renewal")
    void anUnknownOutcomeIsNotRepeatedWithoutLimit() {
        store.loseReplies(Op.RENEW);
        reservation.lock();
        assertThatThrownBy(reservation::renew).isInstanceOf(ReservationException.class);
        assertThat(store.calls(Op.RENEW)).isEqualTo(6);
        store.comeBack();
        reservation.unlock();

        for (int i = 0; i < 100; i++) {
            store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);
        }
        int before = store.calls(Op.ACQUIRE);
        assertThat(reservation.tryLock()).isFalse();
        assertThat(store.calls(Op.ACQUIRE) - before).isEqualTo(6);
    }

    @Test
    void aShortTryLockUnderContentionEndsInTime() throws Exception {
        store.goDown(Kind.CONTENTION);
        long start = backend.ticker().nanos();
        Future<Boolean> trying = actor("trying").starts(() -> reservation.tryLock(20, TimeUnit.MILLISECONDS));

        backend.await("it gave up", trying::isDone);

        assertThat(Actor.result(trying)).isFalse();
        assertThat(Duration.ofNanos(backend.ticker().nanos() - start)).isLessThan(Duration.ofMillis(1_000));
    }

    @Test
    void theInterruptFlagIsDownWhileTheStoreIsAsked() {
        AtomicBoolean flag = new AtomicBoolean(true);
        store.next(Op.ACQUIRE, false, () -> flag.set(Thread.currentThread().isInterrupted()));
        Thread.currentThread().interrupt();

        assertThat(reservation.tryLock()).isTrue();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(flag).isFalse();
        reservation.unlock();
    }

    @Test
    void interruptsThatBreakOneCallAfterAnotherDoNotMakeLockFail() {
        ScriptedStore.Event interrupt = () -> {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "The interrupt closed the connection");
        };
        for (int i = 0; i < 10; i++) {
            store.next(Op.ACQUIRE, false, interrupt);
            store.next(Op.FIND, false, interrupt);
        }

        reservation.lock();
        store.next(Op.FIND, false, interrupt);
        assertThat(reservation.isLocked()).isTrue();
        store.next(Op.FORCE_RELEASE, false, interrupt);
        reservation.forceUnlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void anOutageIsTheSameForAllWhoWait() throws Exception {
        otherNode.getReservation(ID).lock();
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

        assertThat(Duration.ofNanos(backend.ticker().nanos() - start)).isLessThan(LEASE.multipliedBy(2));
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
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThat(reservation.getHoldCount()).isZero();
    }
}
