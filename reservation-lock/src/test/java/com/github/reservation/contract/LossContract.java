// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A holder is told when it has lost its hold: once, in time, and why. */
public abstract class LossContract extends ContractTest {

    /** For what is forced or taken over: it must not be over before. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

    private final List<LostReservation> told = new CopyOnWriteArrayList<>();
    private Reservation reservation;

    @BeforeEach
    void listen() {
        manager.onLost(told::add);
        reservation = manager.getReservation(ID);
    }

    @Test
    void anExpiryIsToldOnce() throws Exception {
        reservation.lock();
        long token = reservation.fencingToken().orElse(-1);

        backend.passTime(LEASE);

        awaitReason(LossReason.EXPIRED);
        assertThat(told.getFirst().domain()).isEqualTo(DOMAIN);
        assertThat(told.getFirst().identifier()).isEqualTo(ID);
        assertThat(told.getFirst().thread()).isSameAs(Thread.currentThread());
        assertThat(told.getFirst().fencingToken().orElse(-1)).isEqualTo(token);
        backend.passTime(Duration.ofMillis(200));
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertToldOnce();
    }

    @Test
    @Tag("renewal")
    void whatIsUnlockedInTimeIsNeverTold() throws Exception {
        reservation.lock();
        reservation.lock();
        reservation.unlock();
        reservation.unlock();
        reservation.lock();
        reservation.renew();
        reservation.unlock();

        // Ends well after the others would have.
        backend.passTime(LEASE.dividedBy(4));
        manager.getReservation("other").lock();
        backend.passTime(LEASE);

        backend.await("the other is told", () -> !told.isEmpty());
        assertThat(told).extracting(LostReservation::identifier).containsExactly("other");
    }

    @Test
    @Tag("renewal")
    void aRenewedHoldIsNotToldAtItsFirstDeadline() throws Exception {
        reservation.lock();
        backend.passTime(LEASE.dividedBy(4));
        assertThat(reservation.renew(LEASE.multipliedBy(3))).isTrue();
        backend.passTime(LEASE);

        assertThat(told).isEmpty();
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        backend.passTime(LEASE.multipliedBy(2));
        awaitReason(LossReason.EXPIRED);
    }

    @Test
    void forceUnlockByThisManagerIsToldAsForced() throws Exception {
        reservation.lock(LONG_LEASE);

        actor("admin").does(() -> manager.getReservation(ID).forceUnlock());

        awaitReason(LossReason.FORCED);
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertToldOnce();
    }

    @Test
    void forceUnlockTellsAndWakesLocallyWithoutSignals() throws Exception {
        ReservationManager node = nodeOn(new ScriptedStore(backend.store()).withoutSignals());
        node.onLost(told::add);
        Actor holder = actor("holder");
        holder.does(() -> node.getReservation(ID).lock(LONG_LEASE));
        Future<?> waiting = actor("waiter").startsAndWaits(() -> node.getReservation(ID).lock());

        node.getReservation(ID).forceUnlock();

        Actor.result(waiting);
        awaitReason(LossReason.FORCED);
        assertThatThrownBy(() -> holder.does(() -> node.getReservation(ID).unlock()))
                .isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    @Tag("renewal")
    void aRenewalThatSucceedsAfterOneThatFailedClearsTheReason() throws Exception {
        ScriptedStore store = new ScriptedStore(backend.store());
        ReservationManager node = nodeOn(store);
        node.onLost(told::add);
        Reservation mine = node.getReservation(ID);
        mine.lock();
        store.goDown(Kind.UNAVAILABLE);
        assertThatThrownBy(mine::renew).isInstanceOf(ReservationException.class);
        store.comeBack();
        assertThat(mine.renew()).isTrue();

        backend.passTime(LEASE);

        awaitReason(LossReason.EXPIRED);
    }

    @Test
    @Tag("renewal")
    void forceUnlockByAnotherNodeIsToldAsForced_atTheNextCallAtTheLatest() throws Exception {
        reservation.lock(LONG_LEASE);

        otherNode.getReservation(ID).forceUnlock();

        assertThat(reservation.renew()).isFalse();
        awaitReason(LossReason.FORCED);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertToldOnce();
    }

    @Test
    @Tag("renewal")
    void aTakeoverFoundByRenewOrUnlockIsToldAsSuch_ifNobodyToldBefore() throws Exception {
        ScriptedStore deaf = new ScriptedStore(backend.store()).withoutSignals();
        ReservationManager node = nodeOn(deaf);
        node.onLost(told::add);
        Actor usurper = actor("usurper");
        for (String how : List.of("renew", "unlock")) {
            Reservation mine = node.getReservation(how);
            mine.lock(LONG_LEASE);
            usurper.does(() -> {
                otherNode.getReservation(how).forceUnlock();
                otherNode.getReservation(how).lock(LONG_LEASE);
            });

            if (how.equals("renew")) {
                assertThat(mine.renew()).isFalse();
            }
            assertThatThrownBy(mine::unlock).isInstanceOf(ReservationExpiredException.class);

            awaitReason(LossReason.TAKEN_OVER);
            assertToldOnce();
            told.clear();
        }
    }

    @Test
    void aReleaseThatArrivesAfterTheEndOfTheLeaseFindsThatItExpired_whoeverCameNext() throws Exception {
        ScriptedStore slow = new ScriptedStore(backend.store());
        ReservationManager node = nodeOn(slow);
        node.onLost(told::add);
        for (boolean taken : new boolean[]{false, true}) {
            Reservation mine = node.getReservation("taken " + taken);
            mine.lock();
            slow.next(Op.RELEASE, false, () -> {
                backend.passTime(PAST_THE_LEASE);
                if (taken) {
                    otherNode.getReservation("taken " + taken).lock(LONG_LEASE);
                }
            });

            assertThatThrownBy(mine::unlock).isInstanceOf(ReservationExpiredException.class);

            awaitReason(LossReason.EXPIRED);
            assertToldOnce();
            told.clear();
        }
    }

    @Test
    void aHoldThatCouldNotBeRenewedIsToldAsStoreUnreachable() throws Exception {
        ScriptedStore store = new ScriptedStore(backend.store());
        ReservationManager node = nodeOn(store);
        node.onLost(told::add);
        Reservation mine = node.getReservation(ID);
        mine.lock();
        store.goDown(Kind.UNAVAILABLE);
        assertThatThrownBy(mine::renew).isInstanceOf(ReservationException.class);
        assertThat(told).isEmpty();

        backend.passTime(LEASE);

        awaitReason(LossReason.STORE_UNREACHABLE);
        assertThatThrownBy(mine::unlock).isInstanceOf(ReservationException.class);
        assertToldOnce();
    }

    @Test
    void aThrowingOrBlockingListenerHarmsNobody() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        ReservationManager node = node(LEASE);
        node.onLost(lost -> {
            throw new IllegalStateException("A bad listener");
        });
        node.onLost(lost -> {
            throw new AssertionError("A worse listener");
        });
        node.onLost(lost -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        node.onLost(told::add);
        node.getReservation("a").lock();
        node.getReservation("b").lock();

        backend.passTime(LEASE);

        backend.await("both are told", () -> told.size() == 2);
        assertThat(told).extracting(LostReservation::identifier).containsExactlyInAnyOrder("a", "b");
        never.countDown();
    }

    @Test
    void aListenerCanInterruptTheWorkThatLostItsHold() throws Exception {
        manager.onLost(lost -> lost.thread().interrupt());
        CountDownLatch locked = new CountDownLatch(1);
        var work = actor("slow worker").starts(() -> {
            reservation.lock();
            locked.countDown();
            new CountDownLatch(1).await();
        });
        locked.await();

        backend.passTime(LEASE);

        assertThat(Actor.failure(work)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aListenerThatWasRemovedIsNotTold() throws Exception {
        List<LostReservation> toldNoMore = new CopyOnWriteArrayList<>();
        Registration registration = manager.onLost(toldNoMore::add);
        reservation.lock(LONG_LEASE);

        registration.close();
        registration.close();
        reservation.forceUnlock();

        awaitReason(LossReason.FORCED);
        assertToldOnce();
        assertThat(toldNoMore).isEmpty();
    }

    @Test
    void aListenerThatIsRegisteredTwiceIsToldTwice_andOnceWhenOneRegistrationWasClosed() throws Exception {
        List<LostReservation> twice = new CopyOnWriteArrayList<>();
        LossListener listener = twice::add;
        Registration first = manager.onLost(listener);
        Registration second = manager.onLost(listener);
        reservation.lock(LONG_LEASE);
        reservation.forceUnlock();
        backend.await("both are told", () -> twice.size() == 2);

        first.close();
        first.close();
        manager.getReservation("b").lock(LONG_LEASE);
        manager.getReservation("b").forceUnlock();

        backend.await("the other one is told", () -> twice.size() == 3);
        second.close();
        manager.getReservation("c").lock(LONG_LEASE);
        manager.getReservation("c").forceUnlock();
        backend.await("the third loss is told", () -> told.size() == 3);
        assertTold(3);
        assertThat(twice).extracting(LostReservation::identifier).containsExactly(ID, ID, "b");
    }

    @Test
    void aListenerCanRemoveItself() throws Exception {
        List<LostReservation> toldOnce = new CopyOnWriteArrayList<>();
        AtomicReference<Registration> registration = new AtomicReference<>();
        registration.set(manager.onLost(lost -> {
            registration.get().close();
            toldOnce.add(lost);
        }));
        reservation.lock(LONG_LEASE);
        reservation.forceUnlock();
        backend.await("it is told", () -> toldOnce.size() == 1);

        manager.getReservation("b").lock(LONG_LEASE);
        manager.getReservation("b").forceUnlock();

        backend.await("the second loss is told", () -> told.size() == 2);
        assertTold(2);
        assertThat(toldOnce).extracting(LostReservation::identifier).containsExactly(ID);
    }

    @Test
    void aHoldOfAClosedManagerIsToldToo() throws Exception {
        reservation.lock();
        manager.close();

        backend.passTime(LEASE);

        awaitReason(LossReason.EXPIRED);
    }

    @Test
    void aDeadThreadsHoldIsTold() throws Exception {
        Thread thread = Thread.ofVirtual().start(reservation::lock);
        thread.join();

        backend.passTime(LEASE);

        awaitReason(LossReason.EXPIRED);
        assertThat(told.getFirst().thread()).isSameAs(thread);
        awaitNothingLeft(manager);
    }

    private void awaitReason(LossReason reason) throws InterruptedException {
        backend.await("told as " + reason, () -> !told.isEmpty());
        assertThat(told.getFirst().reason()).isEqualTo(reason);
    }

    /** A second telling would come at once or at the deadline; both are over when another loss has been told. */
    private void assertToldOnce() throws InterruptedException {
        assertTold(1);
    }

    private void assertTold(int losses) throws InterruptedException {
        ReservationManager node = node(Duration.ofMillis(500));
        List<LostReservation> later = new CopyOnWriteArrayList<>();
        node.onLost(later::add);
        assertThat(node.getReservation("told later").tryLock(Duration.ofMinutes(1), Duration.ofMillis(500))).isTrue();
        backend.passTime(Duration.ofMillis(500));
        backend.await("a later loss is told", () -> !later.isEmpty());
        assertThat(told).hasSize(losses);
    }
}
