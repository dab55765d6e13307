// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store has done what it was asked for, or has not, and its reply got lost. */
public abstract class LostReplyContract extends OnScriptedStore {

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

        assertThatThrownBy(() -> reservation.tryLock(Duration.ZERO, LONG_LEASE))
                .isInstanceOf(ReservationAcquisitionException.class);

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
        backend.passTime(LEASE.dividedBy(4));
        store.loseNextReply(Op.RENEW);

        assertThat(reservation.renew(LONG_LEASE)).isTrue();

        backend.passTime(LEASE);
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
        CountDownLatch arrived = new CountDownLatch(1);
        store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);
        store.next(Op.RELEASE, false, () -> {}); // The unlock,
        store.next(Op.RELEASE, false, () -> {}); // the first repetition, at once,
        store.next(Op.RELEASE, false, () -> Actor.awaitUninterruptibly(arrived)); // and the last one.
        reservation.lock(LONG_LEASE);
        LeaseId lease = backend.store().find(reservation.getReservationKey()).orElseThrow().id();
        reservation.unlock();

        backend.store().acquire(AcquireRequest.once(lease, Duration.ofHours(1), "late"));
        arrived.countDown();

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
    void aReleaseIsRetriedUntilALeaseEndsThatMayHaveBeenRenewed() throws Exception {
        reservation.lock();
        store.loseReplies(Op.RENEW);
        assertThatThrownBy(() -> reservation.renew(LONG_LEASE)).isInstanceOf(ReservationException.class);
        store.goDown(Kind.UNAVAILABLE);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationException.class);
        backend.passTime(LEASE.multipliedBy(2));
        int tries = store.calls(Op.RELEASE);
        backend.await("the release is still retried", () -> store.calls(Op.RELEASE) > tries);

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
}
