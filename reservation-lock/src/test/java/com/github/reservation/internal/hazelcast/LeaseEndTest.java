// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.CallInterceptor;
import com.github.reservation.hazelcast.MemberProcess;
import com.github.reservation.hazelcast.TestInstances;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockOptions;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * When a lease ends. Hazelcast ends all locks of a map and partition together whose end falls into the same second: so locks
 * that are taken at fractions of a second apart end early, and the more of them there are, the more.
 */
@Needs(Backend.HAZELCAST)
class LeaseEndTest {

    private static final int KEYS = 15;
    private static final Duration LEASE = Duration.ofMillis(2000);

    private static MemberProcess member;
    private static HazelcastInstance client;

    @BeforeAll
    static void start() {
        member = MemberProcess.alone();
        client = TestInstances.client(member.port());
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        member.close();
    }

    /** Takes a lock and returns without waiting. */
    @FunctionalInterface
    private interface Taking {
        void take(String key) throws Exception;
    }

    @Test
    void noLeaseEndsEarly_althoughHazelcastsDo() throws Exception {
        IMap<String, String> raw = client.getMap("raw");
        IMap<String, String> asked = client.getMap("asked");
        LockMap locks = new LockMap(client, "asked", new InFlightCalls(), () -> {});
        IMap<String, String> held = client.getMap("reservations-ends");
        try (ReservationManager manager =
                ReservationManager.hazelcast(client).domain("ends").leaseTime(LEASE).build()) {
            Ends ends = new Ends(
                    List.of(raw, asked, held),
                    List.of(
                            key -> raw.lock(key, LEASE.toMillis(), TimeUnit.MILLISECONDS),
                            key -> locks.tryLock(
                                    LockOwner.of(key),
                                    Duration.ZERO,
                                    LockTimes.of(LEASE, Duration.ZERO)),
                            key -> manager.getReservation(key).lock()))
                    .await();

            assertThat(ends.of(0)).as("Hazelcast's own leases, or this test looks at nothing")
                    .anyMatch(lasted -> lasted.compareTo(LEASE.minusMillis(100)) < 0);
            assertThat(ends.of(1)).as("what we ask Hazelcast for")
                    .allMatch(lasted -> lasted.compareTo(LEASE) >= 0)
                    .allMatch(lasted -> lasted.compareTo(LEASE.plusSeconds(3)) <= 0);
            assertThat(ends.of(2)).as("our leases")
                    .allMatch(lasted -> lasted.compareTo(LEASE) >= 0);
            assertThat(ends.lastSeen(2)).as("our leases")
                    .allMatch(lasted -> lasted.compareTo(LEASE.plusMillis(500)) < 0);
        }
    }

    /**
     * Takes the keys of one partition one after another and looks when each is free again. Time counts from before a key is
     * asked for, as it does for the holder.
     */
    private static final class Ends {

        private final List<IMap<String, String>> maps;
        private final List<Taking> takings;
        private final List<String> keys = keysOfOnePartition();
        private final long[][] taken;
        private final Duration[][] lasted;
        private final Duration[][] lastSeen;

        Ends(List<IMap<String, String>> maps, List<Taking> takings) {
            this.maps = maps;
            this.takings = takings;
            this.taken = new long[maps.size()][KEYS];
            this.lasted = new Duration[maps.size()][KEYS];
            this.lastSeen = new Duration[maps.size()][KEYS];
        }

        Ends await() throws Exception {
            long start = System.nanoTime();
            int next = 0;
            while (Stream.of(lasted).flatMap(Arrays::stream).anyMatch(time -> time == null)) {
                if (next < KEYS && System.nanoTime() - start > next * Duration.ofMillis(130).toNanos()) {
                    take(next++);
                }
                look(next);
                Thread.sleep(1);
            }
            return this;
        }

        private void take(int key) throws Exception {
            for (int map = 0; map < maps.size(); map++) {
                taken[map][key] = System.nanoTime();
                takings.get(map).take(keys.get(key));
            }
        }

        /** What is found free was locked a look ago: the earlier time counts, to be strict. */
        private void look(int count) {
            for (int map = 0; map < maps.size(); map++) {
                for (int key = 0; key < count; key++) {
                    Duration now = Duration.ofNanos(System.nanoTime() - taken[map][key]);
                    if (lasted[map][key] == null) {
                        boolean locked = maps.get(map).isLocked(keys.get(key));
                        (locked ? lastSeen : lasted)[map][key] = now;
                    }
                }
            }
        }

        List<Duration> of(int map) {
            return List.of(lasted[map]);
        }

        /** Returns when the locks were last seen: a look that comes late on a busy machine does not count. */
        List<Duration> lastSeen(int map) {
            return List.of(lastSeen[map]);
        }

        private static List<String> keysOfOnePartition() {
            int partition = client.getPartitionService().getPartition("0").getPartitionId();
            return IntStream.iterate(0, i -> i + 1)
                    .mapToObj(Integer::toString)
                    .filter(key -> client.getPartitionService().getPartition(key).getPartitionId() == partition)
                    .limit(KEYS)
                    .toList();
        }
    }

    @Test
    void aRenewedLeaseDoesNotEndEarlyEither() throws Exception {
        try (ReservationManager manager =
                ReservationManager.hazelcast(client).domain("renewed").leaseTime(LEASE).build()) {
            IMap<String, String> map = client.getMap("reservations-renewed");
            List<String> keys = Ends.keysOfOnePartition().subList(0, 5);
            for (String key : keys) {
                manager.getReservation(key).lock();
                Thread.sleep(130);
            }
            List<Long> renewed = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
                renewed.clear();
                for (String key : keys) {
                    assertThat(manager.getReservation(key).renew()).isTrue();
                    renewed.add(System.nanoTime());
                    Thread.sleep(130);
                }
            }

            for (int i = 0; i < keys.size(); i++) {
                long now = System.nanoTime();
                while (map.isLocked(keys.get(i))) {
                    Thread.sleep(1);
                    now = System.nanoTime();
                }
                assertThat(Duration.ofNanos(now - renewed.get(i)))
                        .isBetween(LEASE.minusMillis(5), LEASE.plusSeconds(2));
            }
        }
    }

    @Test
    void aCloseAfterTheEndThrows_althoughHazelcastStillHasTheLock() throws Exception {
        CallInterceptor interceptor = new CallInterceptor(client);
        CountDownLatch over = new CountDownLatch(1);
        interceptor.next("tryRemove", real -> {
            over.countDown();
            throw new HazelcastException(new InterruptedException("The library tries again in a second"));
        });
        try (ReservationManager manager = ReservationManager.hazelcast(interceptor.instance())
                .domain("late")
                .leaseTime(LEASE)
                .build()) {
            HeldLock lock = manager.lockManager().acquire("42", LockOptions.defaults().maxHold(LEASE));
            assertThat(over.await(1, TimeUnit.MINUTES)).isTrue();

            assertThatThrownBy(lock::close).isInstanceOf(ReservationExpiredException.class);

            assertThat(client.getMap("reservations-late").isLocked("42")).isFalse();
        }
    }
}
