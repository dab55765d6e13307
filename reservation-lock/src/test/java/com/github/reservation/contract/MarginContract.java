// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The last moments of a lease, when the holder trusts it no more and the store still has it. Wants time by hand. */
public abstract class MarginContract extends ContractTest {

    private Reservation reservation;

    @BeforeEach
    void getReservation() {
        assumeTrue(backend.isInManualTime(), "Wants time by hand");
        reservation = manager.getReservation(ID);
    }

    @Test
    void insideTheMarginTheHolderDoesNotTrustItsLease_butUnlockSucceedsIfTheStoreAgrees() {
        reservation.lock();
        reservation.lock();
        backend.passTime(LEASE.minusMillis(30));

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThat(reservation.getHoldCount()).isZero();
        assertThat(reservation.getRemainingLeaseTime()).isZero();
        assertThat(reservation.fencingToken()).isEmpty();
        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void relockInsideTheMarginAcquiresANewLeaseAtOnce() {
        reservation.lock();
        backend.passTime(LEASE.minusMillis(30));

        assertThat(reservation.tryLock()).isTrue();

        assertThat(reservation.getHoldCount()).isEqualTo(1);
        reservation.unlock();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    @Tag("renewal")
    void theHolderIsToldBeforeAnybodyElseCanHaveTheKey() throws Exception {
        List<LostReservation> told = new CopyOnWriteArrayList<>();
        manager.onLost(told::add);
        reservation.lock();

        backend.passTime(LEASE.minusMillis(51));
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.renew(Duration.ofMillis(1))).isTrue();
        backend.passTime(Duration.ofMillis(1));

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        awaitAtRest("told", () -> !told.isEmpty());
        assertThat(told.getFirst().reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
        assertThat(reservation.renew()).as("never resurrects").isFalse();
    }

    @Test
    void workThatEndsInsideTheMarginHadTheLockToTheEnd_whicheverWayItIsRun() throws InterruptedException {
        LockOptions oneLease = LockOptions.defaults().maxHold(LEASE);

        manager.run(ID, oneLease, this::passAllButTheMargin);
        LockExecutionResult<Void> tried = manager.tryRun(ID, oneLease, this::passAllButTheMargin);
        Throwable failure = catchThrowable(() -> manager.run(ID, oneLease, lock -> {
            passAllButTheMargin(lock);
            throw new IOException("no paper");
        }));

        assertThat(tried).isInstanceOfSatisfying(Executed.class, executed -> assertThat(executed.lossReason())
                .isNull());
        assertThat(failure).isInstanceOf(IOException.class).hasNoSuppressedExceptions();
    }

    private void passAllButTheMargin(HeldLock lock) {
        backend.passTime(LEASE.minusMillis(30));
        assertThat(lock.isHeld()).isFalse();
        assertThat(reservation.isLocked()).isTrue();
    }

    @Test
    void aDeadLeaseIsTakenOverOnTime_howeverLongThePausesAre() throws Exception {
        ScriptedStore counted = new ScriptedStore(backend.store());
        ReservationManager node = nodeOn(counted);
        assertThat(otherNode.getReservation(ID).tryLock(Duration.ZERO, Duration.ofMillis(10_005))).isTrue();
        Actor waiter = actor("waiter");
        Future<?> waiting = waiter.startsAndWaits(() -> node.getReservation(ID).lock());
        awaitAtRest("asked", () -> counted.calls(ScriptedStore.Op.ACQUIRE) == 1 && waiter.isQueued());
        backend.passTime(Duration.ofSeconds(5));
        awaitAtRest("asked again", () -> counted.calls(ScriptedStore.Op.ACQUIRE) == 2 && waiter.isQueued());
        backend.passTime(Duration.ofSeconds(5));
        awaitAtRest("asked once more", () -> counted.calls(ScriptedStore.Op.ACQUIRE) == 3 && waiter.isQueued());

        backend.passTime(Duration.ofMillis(5));

        Actor.result(waiting);
    }

    @Test
    void aVeryShortLeaseIsTrustedForHalfOfItsTime() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, Duration.ofMillis(10))).isTrue();

        backend.passTime(Duration.ofMillis(4));
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        backend.passTime(Duration.ofMillis(1));
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThat(reservation.isLocked()).isTrue();
        backend.passTime(Duration.ofMillis(5));
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void aLeaseBeyondAllTimesIsTrusted() throws Exception {
        assumeTrue(backend.takesLeasesOfAnyLength(), "The backend counts the end of a lease in a calendar");
        assertThat(reservation.tryLock(Duration.ZERO, Duration.ofMillis(Long.MAX_VALUE))).isTrue();

        backend.passTime(Duration.ofDays(36_500));

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }
}
