// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A member dies that had the only copy of a partition, and with it of the records in there: their holders write them again. */
@SideBySide
@Needs(Backend.HAZELCAST)
class LostPartitionTest {

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private HazelcastInstance staying;
    private HazelcastInstance dying;
    private HazelcastInstance client;

    @BeforeEach
    void start() {
        List<Integer> ports =
                Stream.generate(MemberProcess::freePort).distinct().limit(2).toList();
        staying = Hazelcast.newHazelcastInstance(withoutBackups(TestInstances.memberConfig(ports.get(0), ports)));
        dying = Hazelcast.newHazelcastInstance(withoutBackups(TestInstances.memberConfig(ports.get(1), ports)));
        client = TestInstances.client(ports.get(0));
        Awaitility.await().until(() -> client.getCluster().getMembers().size() == 2);
        Awaitility.await().until(() -> staying.getPartitionService().isClusterSafe());
    }

    private static Config withoutBackups(Config config) {
        config.getMapConfig("reservations-*").setBackupCount(0);
        return config;
    }

    @AfterEach
    void stop() {
        client.shutdown();
        dying.getLifecycleService().terminate();
        staying.shutdown();
    }

    @Test
    void aMemberKeepsItsHolds() throws InterruptedException {
        aHolderKeepsItsHolds(staying);
    }

    @Test
    void aClientKeepsItsHolds() throws InterruptedException {
        aHolderKeepsItsHolds(client);
    }

    /** An operator deletes a record, and another node takes the key: what only a lost partition does otherwise. */
    @Test
    void aHolderWhoseKeyWasTakenMeanwhileIsTold() {
        try (ReservationManager manager = manager(client);
                ReservationManager other = manager(staying)) {
            manager.onLost(lost::add);
            Reservation held = manager.getReservation(keyOn(staying));
            held.lock();
            staying.getMap("reservations-orders").remove(held.getIdentifier());
            assertThat(other.getReservation(held.getIdentifier()).tryLock()).isTrue();

            dying.getLifecycleService().terminate();

            Awaitility.await().until(() -> !lost.isEmpty());
            assertThat(lost).singleElement().satisfies(loss -> {
                assertThat(loss.identifier()).isEqualTo(held.getIdentifier());
                assertThat(loss.reason()).isEqualTo(LossReason.DISCONNECTED);
            });
            assertThat(held.isHeldByCurrentThread()).isFalse();
            assertThat(other.getReservation(held.getIdentifier()).isLocked()).isTrue();
        }
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance)
                .domain("orders")
                .leaseTime(Duration.ofHours(1))
                .build();
    }

    private void aHolderKeepsItsHolds(HazelcastInstance holder) throws InterruptedException {
        try (ReservationManager manager = manager(holder);
                ReservationManager other = manager(staying)) {
            manager.onLost(lost::add);
            Reservation there = manager.getReservation(keyOn(dying));
            Reservation here = manager.getReservation(keyOn(staying));
            there.lock();
            here.lock();

            dying.getLifecycleService().terminate();

            Awaitility.await()
                    .until(() -> staying.getMap("reservations-orders").containsKey(there.getIdentifier()));
            assertThat(other.getReservation(there.getIdentifier()).tryLock()).isFalse();
            assertThat(there.renew()).isTrue();
            there.unlock();
            here.unlock();
            assertThat(lost).isEmpty();
        }
    }

    private String keyOn(HazelcastInstance member) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "key-" + i)
                .filter(key -> staying.getPartitionService()
                        .getPartition(key)
                        .getOwner()
                        .equals(member.getCluster().getLocalMember()))
                .findFirst()
                .orElseThrow();
    }
}
