// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members die that have the partition of a key which is held, or awaited. */
@SideBySide
@Needs(Backend.HAZELCAST)
class MemberFaultsTest {

    private static final Duration LEASE = Duration.ofMinutes(3);

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private ThreeMembers cluster;
    private HazelcastInstance here;
    private HazelcastInstance there;
    private ReservationManager holder;
    private ReservationManager other;

    @BeforeEach
    void start() {
        cluster = new ThreeMembers();
        here = cluster.client();
        there = cluster.client();
        holder = ReservationManager.hazelcast(here).domain("orders").leaseTime(LEASE).build();
        other = ReservationManager.hazelcast(there).domain("orders").leaseTime(LEASE).build();
        holder.onLost(lost::add);
    }

    @AfterEach
    void stop() {
        holder.close();
        other.close();
        here.shutdown();
        there.shutdown();
        cluster.close();
    }

    @Test
    void lockHolderAndRemainingLeaseSurviveTheOwnersOfThePartition_whileHeldAndWhileAwaited() throws Exception {
        Reservation held = holder.getReservation("42");
        held.lock();
        Awaitility.await().until(() -> here.getMap("reservations-orders").containsKey("42"));

        cluster.awaitBackups();
        cluster.owner(here, "42").kill();

        assertThat(other.getReservation("42").tryLock()).isFalse();
        assertThat(other.getReservation("42").getRemainingLeaseTime()).isBetween(LEASE.minusMinutes(2), LEASE);
        assertThat(other.listReservations()).singleElement().satisfies(info -> assertThat(info.holder())
                .startsWith(Thread.currentThread().getName() + "-"));
        assertThat(held.isHeldByCurrentThread()).isTrue();
        assertThat(held.renew()).isTrue();
        held.unlock();
        assertThat(lost).isEmpty();

        held.lock();
        try (Actor waiter = new Actor("waiter")) {
            Future<?> waiting = waiter.startsAndWaits(() -> other.getReservation("42").lock());
            Awaitility.await().until(() -> here.getCluster().getMembers().size() == 3); // The observer is one.
            cluster.awaitBackups();

            cluster.owner(here, "42").kill();

            assertThat(held.renew()).isTrue();
            assertThat(waiting.isDone()).isFalse();
            held.unlock();
            Actor.result(waiting);
            assertThat(waiter.ask(() -> other.getReservation("42").isHeldByCurrentThread())).isTrue();
            assertThat(held.tryLock()).isFalse();
            waiter.does(() -> other.getReservation("42").unlock());
        }
        assertThat(held.tryLock()).isTrue();
        held.unlock();
        assertThat(lost).isEmpty();
    }

    @Test
    void unlocksWhileAMemberDiesAreNotTakenForLosses() throws Exception {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong cycles = new AtomicLong();
        cluster.awaitBackups();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String name = "thread-" + i + "-";
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; !over.get(); n++) {
                    try {
                        holder.run(name + n, held -> cycles.incrementAndGet());
                    } catch (RuntimeException e) {
                        failures.add(e);
                    }
                }
            }));
        }
        Awaitility.await().until(() -> cycles.get() > 2000);

        cluster.owner(here, "42").kill();

        Awaitility.await().until(() -> here.getCluster().getMembers().size() == 3); // The observer is one.
        long before = cycles.get();
        Awaitility.await().until(() -> cycles.get() > before + 2000);
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(lost).isEmpty();
    }
}
