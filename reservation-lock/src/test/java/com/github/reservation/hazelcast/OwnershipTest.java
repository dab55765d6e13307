// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose a lock is: that of one acquisition, whatever others do to the key through Hazelcast's own methods. */
@Needs(Backend.HAZELCAST)
class OwnershipTest {

    private static final String KEY = "42";
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static HazelcastInstance member;
    private static IMap<String, String> map;

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private ReservationManager manager;
    private Reservation reservation;

    @BeforeAll
    static void start() {
        member = TestInstances.member();
        map = member.getMap("reservations-orders");
    }

    @AfterAll
    static void stop() {
        member.shutdown();
    }

    @BeforeEach
    void open() {
        manager = ReservationManager.hazelcast(member).domain("orders").leaseTime(LEASE).build();
        manager.onLost(lost::add);
        reservation = manager.getReservation(KEY);
    }

    @AfterEach
    void close() {
        manager.close();
        map.forceUnlock(KEY);
    }

    @Test
    void whoLocksTheKeyThroughHazelcastOnTheSameThreadIsAStranger() {
        reservation.lock();
        assertThat(map.tryLock(KEY)).isFalse();
        assertThatThrownBy(() -> map.unlock(KEY)).isInstanceOf(IllegalMonitorStateException.class);
        reservation.unlock();

        map.lock(KEY);
        assertThat(reservation.tryLock()).isFalse();
        assertThat(reservation.isLocked()).isTrue();
        map.unlock(KEY);
        assertThat(reservation.tryLock()).isTrue();
        reservation.unlock();
    }

    @Test
    void theThreadIsItselfAgainAfterwards() {
        reservation.lock();
        reservation.unlock();

        map.lock("own");
        assertThat(map.tryLock("own")).as("entered again").isTrue();
        map.unlock("own");
        map.unlock("own");
    }

    @Test
    void twoManagersOfOneThreadExcludeEachOther() {
        try (ReservationManager other =
                ReservationManager.hazelcast(member).domain("orders").leaseTime(LEASE).build()) {
            reservation.lock();

            assertThat(other.getReservation(KEY).tryLock()).isFalse();
            reservation.unlock();
            assertThat(other.getReservation(KEY).tryLock()).isTrue();
            other.getReservation(KEY).unlock();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void aRenewedLockIsFreeAfterItsUnlock(int renewals) {
        reservation.lock();
        for (int i = 0; i < renewals; i++) {
            assertThat(reservation.renew()).isTrue();
        }

        reservation.unlock();

        assertThat(map.isLocked(KEY)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRenewalFindsThatTheLockWasTakenAway_andDoesNotBringItBack(int renewalsBefore) {
        lockAndRenew(renewalsBefore);

        map.forceUnlock(KEY);

        assertThat(reservation.renew()).isFalse();
        assertThat(map.isLocked(KEY)).isFalse();
        awaitReason(LossReason.FORCED);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRenewalFindsThatAnotherOwnerHasTheLock_andLeavesItAlone(int renewalsBefore) {
        lockAndRenew(renewalsBefore);

        map.forceUnlock(KEY);
        map.lock(KEY);

        assertThat(reservation.renew()).isFalse();
        awaitReason(LossReason.TAKEN_OVER);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        map.unlock(KEY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anUnlockFindsThatTheLockWasTakenAway_andReturnsAtOnce(int renewalsBefore) {
        for (Consumer<String> whatNext : List.<Consumer<String>>of(key -> {}, map::lock)) {
            lockAndRenew(renewalsBefore);
            Awaitility.await().until(() -> map.containsKey(KEY));
            map.forceUnlock(KEY);
            whatNext.accept(KEY);
            boolean taken = map.isLocked(KEY);
            long start = System.nanoTime();

            assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(map.isLocked(KEY)).isEqualTo(taken);
            map.forceUnlock(KEY);
        }
    }

    @Test
    void anUnlockDoesNotWaitForADescriptionThatHangs() throws Exception {
        reservation.lock();
        map.forceUnlock(KEY);
        map.lock(KEY);
        TimeUnit.MILLISECONDS.sleep(200); // The description is due, and waits for the lock.

        long start = System.nanoTime();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));

        map.unlock(KEY);
        Awaitility.await().untilAsserted(() -> assertThat(map.containsKey(KEY)).as("a stale value").isFalse());
    }

    private void lockAndRenew(int renewals) {
        reservation.lock();
        for (int i = 0; i < renewals; i++) {
            assertThat(reservation.renew()).isTrue();
        }
    }

    private void awaitReason(LossReason reason) {
        Awaitility.await().until(() -> !lost.isEmpty());
        assertThat(lost.getFirst().reason()).isEqualTo(reason);
    }
}
