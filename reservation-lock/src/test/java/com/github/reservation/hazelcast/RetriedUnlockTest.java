// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hazelcast repeats an unlock by itself, when the member dies that has done it and has not answered yet. */
@SideBySide
@Needs(Backend.HAZELCAST)
class RetriedUnlockTest {

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private HazelcastInstance staying;
    private HazelcastInstance dying;
    private HazelcastInstance client;
    private CallInterceptor interceptor;
    private ReservationManager manager;
    private Reservation reservation;

    @BeforeEach
    void start() {
        List<Integer> ports =
                Stream.generate(MemberProcess::freePort).distinct().limit(2).toList();
        staying = Hazelcast.newHazelcastInstance(TestInstances.memberConfig(ports.get(0), ports));
        dying = Hazelcast.newHazelcastInstance(TestInstances.memberConfig(ports.get(1), ports));
        client = TestInstances.client(ports.get(0));
        Awaitility.await().until(() -> client.getCluster().getMembers().size() == 2);
        interceptor = new CallInterceptor(client);
        manager = ReservationManager.hazelcast(interceptor.instance())
                .domain("orders")
                .leaseTime(Duration.ofMinutes(1))
                .build();
        manager.onLost(lost::add);
        reservation = manager.getReservation("42");
    }

    @AfterEach
    void stop() {
        manager.close();
        client.shutdown();
        dying.getLifecycleService().terminate();
        staying.shutdown();
    }

    @Test
    void anUnlockThatWasDoneByAMemberThatDiedIsNoLoss() {
        reservation.lock();
        interceptor.next("unlock", real -> {
            real.call();
            dying.getLifecycleService().terminate();
            Awaitility.await().until(() -> client.getCluster().getMembers().size() == 1);
            return real.call();
        });

        reservation.unlock();

        assertThat(lost).isEmpty();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void norIfTheClientHearsOfTheDeathAfterTheAnswer() {
        reservation.lock();
        interceptor.next("unlock", real -> {
            real.call();
            dying.getLifecycleService().terminate();
            Awaitility.await().until(() -> staying.getCluster().getMembers().size() == 1);
            return real.call();
        });

        reservation.unlock();

        assertThat(lost).isEmpty();
    }

    @Test
    void anUnlockThatFindsTheLockTakenAwayIsALoss_asLongAsNoMemberDied() {
        reservation.lock();
        dying.getLifecycleService().terminate();
        Awaitility.await().until(() -> client.getCluster().getMembers().size() == 1);
        client.getMap("reservations-orders").forceUnlock("42");

        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }
}
