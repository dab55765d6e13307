// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A member dies that has granted a lock, and may not have told its backup. Hazelcast grants the lock nevertheless, after it has
 * waited for the backup for some seconds.
 */
class DoubtfulGrantTest {

    private static final Duration LEASE = Duration.ofHours(1);

    private final HazelcastInstance member = Instances.member();
    private final Meddler meddler = new Meddler(member);
    private final ReservationManager manager = manager(meddler.instance());
    private final Reservation reservation = manager.getReservation("42");

    @AfterEach
    void shutDown() {
        manager.close();
        member.shutdown();
    }

    @Test
    void aGrantThatDiedWithItsMemberIsAskedForAgain() {
        meddler.next("tryLock", real -> {
            Object granted = real.call();
            member.getMap("reservations-orders").forceUnlock("42");
            meddler.pretendThatAMemberIsGone();
            return granted;
        });

        reservation.lock();

        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aGrantThatSurvivedIsKept_andGivenBackAsAWhole() {
        meddler.next("tryLock", real -> {
            Object granted = real.call();
            meddler.pretendThatAMemberIsGone();
            return granted;
        });

        assertThat(reservation.tryLock()).isTrue();

        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aGrantThatDiedWithItsMemberAndIsSomebodyElsesByNowIsRefused() {
        try (ReservationManager other = manager(member)) {
            meddler.next("tryLock", real -> {
                Object granted = real.call();
                member.getMap("reservations-orders").forceUnlock("42");
                other.getReservation("42").lock();
                meddler.pretendThatAMemberIsGone();
                return granted;
            });

            assertThat(reservation.tryLock()).isFalse();

            assertThat(other.getReservation("42").isHeldByCurrentThread()).isTrue();
            other.getReservation("42").unlock();
            assertThat(isLocked()).isFalse();
        }
    }

    @Test
    void aGrantThatSurvivedCanBeRenewed() {
        meddler.next("tryLock", real -> {
            Object granted = real.call();
            meddler.pretendThatAMemberIsGone();
            return granted;
        });
        reservation.lock();

        assertThat(reservation.renew()).isTrue();

        reservation.unlock();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aRefusalIsNotInDoubt() {
        try (ReservationManager other = manager(member)) {
            other.getReservation("42").lock();
            meddler.next("tryLock", real -> {
                meddler.pretendThatAMemberIsGone();
                return real.call();
            });

            assertThat(reservation.tryLock()).isFalse();

            other.getReservation("42").unlock();
            assertThat(isLocked()).isFalse();
        }
    }

    private boolean isLocked() {
        return member.getMap("reservations-orders").isLocked("42");
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain("orders").leaseTime(LEASE).build();
    }
}
