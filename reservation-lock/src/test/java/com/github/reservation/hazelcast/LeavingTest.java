// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A member that is shut down, in good order. */
class LeavingTest {

    @Test
    void aMemberThatLeavesIsGrantedNothingAnyMore() throws Exception {
        List<Integer> ports = Stream.generate(StockMember::freePort).distinct().limit(2).toList();
        HazelcastInstance staying = Hazelcast.newHazelcastInstance(Instances.memberConfig(ports.get(0), ports));
        HazelcastInstance leaving = Hazelcast.newHazelcastInstance(Instances.memberConfig(ports.get(1), ports));
        try {
            await().until(() -> staying.getCluster().getMembers().size() == 2);
            ReservationManager here = manager(leaving, Duration.ofMinutes(1));
            ReservationManager there = manager(staying, Duration.ofMinutes(1));
            List<LostReservation> lost = new CopyOnWriteArrayList<>();
            here.onLost(lost::add);
            CountDownLatch tried = new CountDownLatch(1);
            leaving.getLifecycleService().addLifecycleListener(event -> {
                if (event.getState() == LifecycleState.SHUTTING_DOWN) {
                    awaitUninterruptibly(tried);
                }
            });
            here.getReservation("before").lock();
            Thread shutdown = Thread.ofPlatform().start(leaving::shutdown);
            await().until(() -> !lost.isEmpty());

            List<Reservation> granted = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Reservation reservation = here.getReservation("after-" + i);
                try {
                    reservation.lock();
                    granted.add(reservation);
                } catch (ReservationAcquisitionException e) {
                    assertThat(e).hasRootCauseMessage("The Hazelcast instance is leaving its cluster");
                }
            }
            tried.countDown();
            shutdown.join();

            assertThat(granted).isEmpty();
            await().until(() -> staying.getCluster().getMembers().size() == 1);
            assertThat(there.getReservation("before").tryLock()).isTrue();
        } finally {
            leaving.shutdown();
            staying.shutdown();
        }
    }

    @Test
    void theHousekeeperEndsWithTheInstanceAndTheManager() {
        HazelcastInstance member = Instances.member();
        ReservationManager manager = ReservationManager.hazelcast(member)
                .domain("leaving")
                .leaseTime(Duration.ofHours(1))
                .build();
        manager.getReservation("42").lock();
        member.shutdown();

        manager.close();

        await().atMost(Duration.ofSeconds(8))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("reservation-leases-reservations-leaving")));
    }

    private static ReservationManager manager(HazelcastInstance instance, Duration leaseTime) {
        return ReservationManager.hazelcast(instance).domain("orders").leaseTime(leaseTime).build();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
