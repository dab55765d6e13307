// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.ExecutionResult.Executed;
import com.github.reservation.ExecutionResult.NotAcquired;
import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.ReservedAction;
import com.github.reservation.internal.lock.ManagerProbe;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who holds a reservation, how often, and until when. */
public abstract class HoldingContract extends ContractTest {

    private static final Duration PAST_THE_LEASE = LEASE.plusMillis(500);

    @Test
    void unlockByThreadThatNeverHeld_throwsIllegalMonitorStateImmediately() {
        Actor holder = actor("holder");
        holder.does(() -> manager.getReservation(ID).lock());

        assertThatThrownBy(() -> manager.getReservation(ID).unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("does not hold reservation [test-domain::42]");
        assertThatThrownBy(() -> manager.getReservation("never locked").unlock())
                .isInstanceOf(IllegalMonitorStateException.class);
        holder.does(() -> manager.getReservation(ID).unlock());
    }

    @Test
    void secondUnlockThrowsIllegalMonitorState() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        reservation.unlock();

        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lateUnlockAfterTakeover_returnsAtOnceAndKeepsNewHoldersLock() {
        Reservation late = manager.getReservation(ID);
        late.lock();
        backend.passTime(PAST_THE_LEASE);
        Actor successor = actor("successor");
        Reservation taken = otherNode.getReservation(ID);
        successor.does(taken::lock);

        assertThatThrownBy(late::unlock).isInstanceOf(ReservationExpiredException.class);

        assertThat(successor.ask(taken::isHeldByCurrentThread)).isTrue();
        assertThat(late.isLocked()).isTrue();
        successor.does(taken::unlock);
        assertThat(late.isLocked()).isFalse();
    }

    @Test
    void forceUnlockFromAnotherThread_isImmediate() {
        Actor holder = actor("holder");
        Reservation held = manager.getReservation(ID);
        holder.does(held::lock);

        otherNode.getReservation(ID).forceUnlock();

        assertThat(held.isLocked()).isFalse();
        assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
        assertThatThrownBy(() -> holder.does(held::unlock)).isInstanceOf(ReservationExpiredException.class);
        assertThat(otherNode.getReservation(ID).isHeldByCurrentThread()).isTrue();
    }

    @Test
    void forceUnlockOfAFreeReservationDoesNothing() {
        manager.getReservation(ID).forceUnlock();

        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void reentrantAcrossTwoInstancesOfOneIdentifier() {
        manager.getReservation(ID).lock();
        assertThat(manager.getReservation(ID).tryLock()).isTrue();
        assertThat(manager.getReservation(ID).getHoldCount()).isEqualTo(2);

        manager.getReservation(ID).unlock();
        assertThat(manager.getReservation(ID).isLocked()).isTrue();
        manager.getReservation(ID).unlock();
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void unlockThroughAnotherInstance() {
        manager.getReservation(ID).lock();

        manager.getReservation(ID).unlock();

        assertThat(manager.getReservation(ID).isLocked()).isFalse();
        awaitNothing();
    }

    @Test
    void reentrancyBelongsToTheThreadAndToTheManager() {
        manager.getReservation(ID).lock();

        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
        assertThat(actor("other thread").ask(() -> manager.getReservation(ID).tryLock())).isFalse();
    }

    @Test
    @Tag("renewal")
    void reentrantLockRenewsLease() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        backend.passTime(LEASE.dividedBy(2));

        reservation.lock();
        backend.passTime(LEASE.multipliedBy(3).dividedBy(4));

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        reservation.unlock();
    }

    @Test
    @Tag("renewal")
    void aRelockNeverShortensTheLease() throws Exception {
        Reservation reservation = manager.getReservation(ID);
        assertThat(reservation.tryLock(Duration.ZERO, LEASE.multipliedBy(10))).isTrue();

        reservation.lock();
        reservation.renew(Duration.ofMillis(100));

        assertThat(reservation.getRemainingLeaseTime()).isGreaterThan(LEASE.multipliedBy(9));
        backend.passTime(PAST_THE_LEASE);
        assertThat(reservation.isLocked()).isTrue();
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
        reservation.unlock();
    }

    @Test
    void relockAfterExpiry_outerUnlockThrowsExpired() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);

        reservation.lock();

        assertThat(reservation.getHoldCount()).isEqualTo(1);
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
        awaitNothing();
    }

    @Test
    void everyLostHoldOfEveryGenerationThrowsOnce_andOnlyThose() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);
        reservation.lock();
        reservation.lock();
        reservation.lock();

        assertThat(reservation.getHoldCount()).isEqualTo(3);
        reservation.unlock();
        reservation.unlock();
        assertThat(reservation.isLocked()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
        for (int lost = 0; lost < 3; lost++) {
            assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        }
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
        awaitNothing();
    }

    @Test
    void aLostReentrantHoldThrowsOnEveryUnlock() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void relockRefusedAfterExpiry_stillOwesTheLostUnlocks() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);
        actor("successor").does(() -> otherNode.getReservation(ID).lock());

        assertThat(reservation.tryLock()).isFalse();

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThatThrownBy(reservation::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aHoldWhoseThreadDied_isFreeAfterTheLeaseAndForgotten() throws Exception {
        Thread thread = Thread.ofVirtual().start(() -> manager.getReservation(ID).lock());
        thread.join();
        assertThat(manager.getReservation(ID).isLocked()).isTrue();

        backend.passTime(PAST_THE_LEASE);

        assertThat(manager.getReservation(ID).tryLock()).isTrue();
        manager.getReservation(ID).unlock();
        awaitNothingLeft(manager);
    }

    @Test
    @Tag("renewal")
    void renewExtendsTheLease() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        backend.passTime(LEASE.dividedBy(2));

        assertThat(reservation.renew()).isTrue();

        backend.passTime(LEASE.multipliedBy(3).dividedBy(4));
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(actor("other").ask(() -> otherNode.getReservation(ID).tryLock())).isFalse();
        reservation.unlock();
    }

    @Test
    @Tag("renewal")
    void renewWithALeaseOfItsOwn() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();

        assertThat(reservation.renew(LEASE.multipliedBy(20))).isTrue();

        assertThat(reservation.getRemainingLeaseTime()).isGreaterThan(LEASE.multipliedBy(19));
        reservation.unlock();
    }

    @Test
    @Tag("renewal")
    void renewAfterExpiryIsFalseEvenIfNobodyTookIt_andNeverResurrects() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        backend.passTime(PAST_THE_LEASE);

        assertThat(reservation.renew()).isFalse();

        assertThat(reservation.isLocked()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    @Tag("renewal")
    void renewAfterForceUnlockIsFalse_andDoesNotTouchTheNextHolder() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();
        otherNode.getReservation(ID).forceUnlock();
        Actor next = actor("next");
        next.does(() -> otherNode.getReservation(ID).lock());

        assertThat(reservation.renew()).isFalse();

        assertThat(next.ask(() -> otherNode.getReservation(ID).renew())).isTrue();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        next.does(() -> otherNode.getReservation(ID).unlock());
    }

    @Test
    void renewByAThreadThatNeverHeldThrowsIllegalMonitorState() {
        actor("holder").does(() -> manager.getReservation(ID).lock());

        assertThatThrownBy(() -> manager.getReservation(ID).renew()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aLeaseOfItsOwnCanBeShorterThanTheManagers() throws Exception {
        Reservation reservation = manager.getReservation(ID);
        assertThat(reservation.isLocked()).as("a first look, so that connections are there").isFalse();
        assertThat(reservation.tryLock(Duration.ofSeconds(1), Duration.ofSeconds(1))).isTrue();
        assertThat(reservation.getRemainingLeaseTime()).isLessThanOrEqualTo(Duration.ofSeconds(1));

        backend.passTime(Duration.ofMillis(1500));

        assertThat(otherNode.getReservation(ID).tryLock()).isTrue();
    }

    @Test
    void lockTakesALeaseOfItsOwn() {
        Reservation reservation = manager.getReservation(ID);

        reservation.lock(LEASE.multipliedBy(10));

        assertThat(reservation.getRemainingLeaseTime())
                .isBetween(LEASE.multipliedBy(9), LEASE.multipliedBy(10));
        backend.passTime(PAST_THE_LEASE);
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(otherNode.getReservation(ID).tryLock()).isFalse();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    @Tag("renewal")
    void aRelockWithALeaseOfItsOwnLengthensTheLeaseAndNeverShortensIt() {
        Reservation reservation = manager.getReservation(ID);
        reservation.lock();

        reservation.lock(LEASE.multipliedBy(10));
        reservation.lock(Duration.ofMillis(100));

        assertThat(reservation.getRemainingLeaseTime()).isGreaterThan(LEASE.multipliedBy(9));
        assertThat(reservation.getHoldCount()).isEqualTo(3);
        for (int count = 0; count < 3; count++) {
            reservation.unlock();
        }
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void remainingLeaseTimeIsThatOfWhoeverHolds() {
        Reservation held = manager.getReservation(ID);
        held.lock();

        assertThat(otherNode.getReservation(ID).getRemainingLeaseTime())
                .isPositive()
                .isLessThanOrEqualTo(LEASE);
        held.unlock();
        assertThat(otherNode.getReservation(ID).getRemainingLeaseTime()).isZero();
        assertThat(held.getRemainingLeaseTime()).isZero();
    }

    @Test
    void fencingTokensGrowAcrossReleaseExpiryAndForce() {
        assumeTrue(backend.hasFencing(), "The backend has no fencing tokens");
        List<Long> tokens = new ArrayList<>();
        Reservation reservation = manager.getReservation(ID);
        for (Runnable ending : List.<Runnable>of(
                reservation::unlock,
                () -> backend.passTime(PAST_THE_LEASE),
                reservation::forceUnlock,
                reservation::unlock)) {
            reservation.lock();
            tokens.add(reservation.fencingToken().orElseThrow());
            ending.run();
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(reservation.fencingToken()).isEmpty();
    }

    @Test
    void listReservationsShowsWhoHoldsWhatInThisDomain() {
        try (ReservationManager elsewhere = backend.node("elsewhere", LEASE)) {
            manager.getReservation("a").lock();
            actor("worker").does(() -> otherNode.getReservation("b").lock());
            elsewhere.getReservation("c").lock();

            List<ReservationInfo> listed = manager.listReservations();

            assertThat(listed).extracting(ReservationInfo::identifier).containsExactlyInAnyOrder("a", "b");
            assertThat(listed).allSatisfy(info -> {
                assertThat(info.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
                assertThat(info.since()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
                assertThat(info.holder()).contains("@").doesNotContainPattern("[0-9a-f]{32}");
            });
            assertThat(listed).anySatisfy(info -> assertThat(info.holder()).startsWith("worker-"));
        }
    }

    @Test
    void closeKeepsHeldReservationsUnlockable() throws Exception {
        Reservation held = manager.getReservation(ID);
        held.lock();

        manager.close();
        manager.close();

        assertThat(otherNode.getReservation(ID).isLocked()).isTrue();
        assertThat(held.isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(() -> manager.getReservation("other").lock()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> manager.run("other", other -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(held::lock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(held::tryLock).isInstanceOf(IllegalStateException.class);
        manager.getReservation(ID).unlock(); // A new handle, as in a finally block.
        assertThat(otherNode.getReservation(ID).isLocked()).isFalse();
        ManagerProbe probe = new ManagerProbe(manager);
        backend.await("the watch has ended", () -> !probe.isWatching());
    }

    @Test
    void runGivesBackWhatItTook_andPassesTheReservation() {
        AtomicBoolean held = new AtomicBoolean();

        manager.run(ID, reservation -> held.set(reservation.isHeldByCurrentThread()));

        assertThat(held).isTrue();
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
        assertThat(manager.<String, RuntimeException>call(ID, Reservation::getIdentifier)).isEqualTo(ID);
    }

    @Test
    void tryRunHoldsForTheGivenLease_andGivesBackWhatItTook() throws Exception {
        AtomicReference<Duration> remaining = new AtomicReference<>();

        boolean ran = manager.tryRun(ID, Duration.ZERO, LEASE.multipliedBy(10), held -> remaining.set(
                held.getRemainingLeaseTime()));

        assertThat(ran).isTrue();
        assertThat(remaining.get()).isBetween(LEASE.multipliedBy(9), LEASE.multipliedBy(10));
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void tryCallTellsAResultFromNullAndNullFromNotAcquired() throws Exception {
        assertThat(manager.<String, RuntimeException>tryCall(ID, Duration.ZERO, LEASE, Reservation::getIdentifier))
                .isEqualTo(new Executed<>(ID));
        assertThat(manager.<String, RuntimeException>tryCall(ID, Duration.ZERO, LEASE, held -> null))
                .isEqualTo(new Executed<String>(null));
        assertThat(manager.getReservation(ID).isLocked()).isFalse();

        otherNode.getReservation(ID).lock();

        assertThat(manager.<String, RuntimeException>tryCall(ID, Duration.ZERO, LEASE, Reservation::getIdentifier))
                .isEqualTo(new NotAcquired<>());
    }

    @Test
    void whatTheActionThrowsIsNeverHiddenByALossOnTheWayOut() {
        ReservedAction<IOException> failing = held -> {
            held.forceUnlock();
            throw new IOException("the work failed");
        };
        for (ThrowingCallable work : List.<ThrowingCallable>of(
                () -> manager.run(ID, failing), () -> manager.tryRun(ID, Duration.ZERO, LEASE, failing))) {
            assertThatThrownBy(work)
                    .isInstanceOf(IOException.class)
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .singleElement()
                            .isInstanceOf(ReservationExpiredException.class));
        }
        for (ThrowingCallable work : List.<ThrowingCallable>of(
                () -> manager.run(ID, Reservation::forceUnlock),
                () -> manager.tryRun(ID, Duration.ZERO, LEASE, Reservation::forceUnlock))) {
            assertThatThrownBy(work).isInstanceOf(ReservationExpiredException.class);
        }
        assertThat(manager.getReservation(ID).isLocked()).isFalse();
    }

    @Test
    void hostileKeysAreAllDifferentLocks() {
        List<String> identifiers = List.of(
                "a", "A", "a ", " a", "\u00e9", "e\u0301", "\u00df", "ss", "\ud83d\udd12", "\ud83d\udd13", ":a", "a:",
                ":", "%", "_", "a%", "'", "\"", "\\", "a\nb", "\u200b", "a\u200b", "x".repeat(499), "x".repeat(498),
                "\ud83d\udd12".repeat(124));

        identifiers.forEach(identifier -> assertThat(manager.getReservation(identifier).tryLock())
                .as(identifier)
                .isTrue());

        identifiers.forEach(identifier -> {
            assertThat(otherNode.getReservation(identifier).tryLock()).as(identifier).isFalse();
            manager.getReservation(identifier).unlock();
            assertThat(otherNode.getReservation(identifier).isLocked()).as(identifier).isFalse();
        });
        awaitNothing();
    }

    @Test
    void tooLongKeyRejected() {
        assertThat("test-domain::".length() + 499).isEqualTo(512);
        assertThatThrownBy(() -> manager.getReservation("x".repeat(500)))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessageContaining("513 bytes");
        assertThatThrownBy(() -> manager.getReservation("\ud83d\udd12".repeat(125)))
                .isInstanceOf(InvalidReservationKeyException.class);
        assertThatThrownBy(() -> manager.getReservation("a::b")).isInstanceOf(InvalidReservationKeyException.class);
        assertThatThrownBy(() -> manager.getReservation("a\0b")).isInstanceOf(InvalidReservationKeyException.class);
    }

    @Test
    void keysOfDifferentDomainsNeverCollide() {
        try (ReservationManager one = backend.node("a", LEASE);
                ReservationManager two = backend.node("a:b", LEASE)) {
            one.getReservation(":b").lock();
            one.getReservation("b").lock();

            assertThat(two.getReservation("b").tryLock()).isTrue();
            assertThat(two.getReservation(":b").tryLock()).isTrue();
        }
    }

    @Test
    void twoVirtualThreadsExcludeEachOther() throws Exception {
        CountDownLatch tried = new CountDownLatch(2);
        List<Boolean> granted = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                granted.add(manager.getReservation(ID).tryLock());
                tried.countDown();
                Actor.awaitUninterruptibly(tried);
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(granted).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void twoProcessesWithSameThreadNameExcludeEachOther() {
        Actor here = actor("pool-1-thread-1");
        Actor there = actor("pool-1-thread-1");
        here.does(() -> manager.getReservation(ID).lock());

        assertThat(there.ask(() -> otherNode.getReservation(ID).tryLock())).isFalse();
        assertThatThrownBy(() -> there.does(() -> otherNode.getReservation(ID).unlock()))
                .isInstanceOf(IllegalMonitorStateException.class);
        assertThat(here.ask(() -> manager.getReservation(ID).isHeldByCurrentThread())).isTrue();
    }

    private void awaitNothing() {
        assertThat(new ManagerProbe(manager).isEmpty()).isTrue();
    }
}
