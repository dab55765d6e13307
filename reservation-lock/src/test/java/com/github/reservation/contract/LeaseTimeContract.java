// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Until when a reservation is held, how a lease is renewed, and how its fences grow. */
public abstract class LeaseTimeContract extends ContractTest {

    @Test
    @Tag("renewal")
    void renewExtendsTheLease() {
        Reservation reservation = node(LEASE.multipliedBy(10)).getReservation(ID);
        reservation.lock(LEASE);
        backend.passTime(LEASE.dividedBy(4));

        assertThat(reservation.renew()).isTrue();

        backend.passTime(LEASE);
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
        assertThat(reservation.tryLock(Duration.ofMinutes(1), Duration.ofSeconds(1))).isTrue();
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
}
