// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.lease.HeldLock;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Another process, for real: it is killed, it is stopped, it sees what we see. */
@SideBySide
@Execution(ExecutionMode.SAME_THREAD) // Its tests want the same key.
@Needs(Backend.HAZELCAST)
class ProcessFaultsTest {

    private static final Duration LEASE = Duration.ofSeconds(2);

    private static MemberProcess member;
    private static HazelcastInstance client;

    private ReservationManager manager;
    private Reservation ours;
    private ClientProcess other;

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

    @BeforeEach
    void open() {
        manager = ReservationManager.hazelcast(client).domain(ClientProcess.DOMAIN).leaseTime(LEASE).build();
        ours = manager.getReservation(ClientProcess.ID);
        ours.forceUnlock();
        other = new ClientProcess(member.port(), LEASE);
    }

    @AfterEach
    void close() {
        other.close();
        manager.close();
    }

    @Test
    void whatAKilledClientHeldIsFreeSoonAfterItsLease() throws Exception {
        other.does("lock");
        long locked = System.nanoTime();

        other.kill();

        assertThat(ours.tryLock(20, TimeUnit.SECONDS)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - locked)).isLessThan(LEASE.plusSeconds(1));
        ours.unlock();
    }

    @Test
    void aClientThatWasStoppedPastItsLeaseIsTold_andTheNextHolderIsUntouched() throws Exception {
        other.does("lock");

        other.freeze();
        assertThat(ours.tryLock(Duration.ofSeconds(20), Duration.ofMinutes(1))).isTrue();
        other.thaw();

        assertThat(other.does("held")).isEqualTo("false");
        assertThat(other.does("told")).isEqualTo("EXPIRED");
        assertThat(other.does("renew")).isEqualTo("false");
        assertThat(other.does("unlock")).isEqualTo("ReservationExpiredException");
        assertThat(ours.renew()).isTrue();
        assertThat(other.does("try")).isEqualTo("false");
        ours.unlock();
        assertThat(other.does("try")).isEqualTo("true");
    }

    @Test
    void aLockOfAStoppedClientIsToldOnce_andTheNextHolderIsUntouched() throws Exception {
        other.does("acquire");

        other.freeze();
        HeldLock next = manager.acquire(ClientProcess.ID);
        other.thaw();

        assertThat(other.does("losses")).isEqualTo("1");
        assertThat(other.does("holds")).isEqualTo("false");
        assertThat(other.does("release")).isEqualTo("false");
        assertThat(other.does("losses")).isEqualTo("1");
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isTrue();
    }

    @Test
    void forceUnlockFromAnotherProcessReturnsAtOnce_alsoWhenThereIsAWaiter() throws Exception {
        HazelcastInstance third = TestInstances.client(member.port());
        try (ReservationManager waiting =
                ReservationManager.hazelcast(third).domain(ClientProcess.DOMAIN).leaseTime(Duration.ofMinutes(1))
                        .build()) {
            other.does("lock");
            Thread waiter = Thread.ofPlatform().daemon().start(() -> waiting.getReservation(ClientProcess.ID).lock());
            Awaitility.await().until(() -> waiter.getState() != Thread.State.RUNNABLE);

            long start = System.nanoTime();
            ours.forceUnlock();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));

            waiter.join();
            start = System.nanoTime();
            assertThat(other.does("unlock")).isEqualTo("ReservationExpiredException");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(ours.isLocked()).isTrue();
            assertThat(ours.tryLock()).isFalse();
            Awaitility.await().until(() -> ours.getRemainingLeaseTime().compareTo(LEASE) > 0);
            ours.forceUnlock();
        } finally {
            third.shutdown();
        }
    }

    @Test
    void othersSeeHowLongTheLeaseRuns_andWhoHasIt() {
        other.does("lock");

        assertThat(ours.getRemainingLeaseTime()).isBetween(Duration.ofMillis(1), LEASE);
        assertThat(manager.listReservations()).singleElement().satisfies(held -> {
            assertThat(held.identifier()).isEqualTo(ClientProcess.ID);
            assertThat(held.holder()).startsWith("main-");
            assertThat(held.remaining()).isBetween(Duration.ofMillis(1), LEASE);
        });
        assertThat(other.does("remaining")).isNotEqualTo("0");
        other.does("unlock");
        assertThat(ours.getRemainingLeaseTime()).isZero();
        assertThat(manager.listReservations()).isEmpty();
    }
}
