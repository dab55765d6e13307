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
import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A member dies that had the only copy of a partition, and with it of the locks in there. */
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
    void aMemberIsToldOfTheHoldsThatWereLost_andKeepsTheOthers() throws InterruptedException {
        aHolderIsToldOfTheHoldsThatWereLost_andKeepsTheOthers(staying);
    }

    @Test
    void aClientIsToldOfTheHoldsThatWereLost_andKeepsTheOthers() throws InterruptedException {
        aHolderIsToldOfTheHoldsThatWereLost_andKeepsTheOthers(client);
    }

    @Test
    void aHolderThatCouldNotListenAtFirstIsToldToo() throws InterruptedException {
        CallInterceptor interceptor = new CallInterceptor(client);
        interceptor.next("addPartitionLostListener", real -> {
            throw new HazelcastClientOfflineException();
        });

        aHolderIsToldOfTheHoldsThatWereLost_andKeepsTheOthers(
                interceptor.instance(), () -> Awaitility.await().until(interceptor::hasPartitionListener));
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance)
                .domain("orders")
                .leaseTime(Duration.ofHours(1))
                .build();
    }

    private void aHolderIsToldOfTheHoldsThatWereLost_andKeepsTheOthers(HazelcastInstance holder)
            throws InterruptedException {
        aHolderIsToldOfTheHoldsThatWereLost_andKeepsTheOthers(holder, () -> {});
    }

    private void aHolderIsToldOfTheHoldsThatWereLost_andKeepsTheOthers(HazelcastInstance holder, Runnable listens)
            throws InterruptedException {
        try (ReservationManager manager = manager(holder)) {
            manager.onLost(lost::add);
            Reservation there = manager.getReservation(keyOn(dying));
            Reservation here = manager.getReservation(keyOn(staying));
            there.lock();
            here.lock();
            listens.run();

            dying.getLifecycleService().terminate();

            Awaitility.await().until(() -> !lost.isEmpty());
            assertThat(lost).singleElement().satisfies(loss -> {
                assertThat(loss.identifier()).isEqualTo(there.getIdentifier());
                assertThat(loss.reason()).isEqualTo(LossReason.DISCONNECTED);
            });
            assertThat(there.isHeldByCurrentThread()).isFalse();
            // Not at once: the member that takes over the partition may not answer yet. The lost lease had an hour to run.
            assertThat(there.tryLock(1, TimeUnit.MINUTES)).as("the key is free").isTrue();
            there.unlock();
            here.unlock();
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
