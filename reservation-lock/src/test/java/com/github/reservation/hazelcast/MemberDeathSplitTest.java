// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.HoldHistory;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The smaller side of a split held the keys, and the larger side waits for them. */
@SideBySide
@Needs(Backend.HAZELCAST)
class MemberDeathSplitTest {

    private static final int MINORITY = 0;
    private static final int MAJORITY = 1;
    private static final List<String> KEYS = IntStream.range(0, 20).mapToObj(i -> "key-" + i).toList();
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration WORK = Duration.ofSeconds(1);
    private static final Duration LONG_AFTER = Duration.ofMinutes(1);

    private final HoldHistory history = new HoldHistory();
    private final List<Exception> failures = new CopyOnWriteArrayList<>();
    private final CountDownLatch held = new CountDownLatch(2 * KEYS.size());

    @Test
    void withProtectionTheSidesDoNotTrustOneKeyAtTheSameTime() throws Exception {
        split(SplitCluster::split);
    }

    /**
     * Until missing heartbeats show that packets are lost, the smaller side still answers, without the backups of the larger side. On
     * request only: Hazelcast sometimes falls into three parts then, and nobody gets anything.
     */
    @Test
    @EnabledIfSystemProperty(named = "splits", matches = "silent", disabledReason = "only with -Dsplits=silent")
    void norIfTheyNoticeTheSplitLate() throws Exception {
        split(SplitCluster::splitSilently);
    }

    private void split(Consumer<SplitCluster> fault) throws Exception {
        try (SplitCluster cluster = new SplitCluster();
                ReservationManager member = manager(cluster.member(SplitCluster.THIRD));
                ReservationManager client = manager(cluster.clientOfTheMinority());
                ReservationManager others = manager(cluster.clientOfTheMajority())) {
            List<Thread> holders = new ArrayList<>();
            List<Thread> waiters = new ArrayList<>();
            for (String key : KEYS) {
                holders.add(holder(member.getReservation("of the member: " + key)));
                holders.add(holder(client.getReservation("of the client: " + key)));
            }
            assertThat(held.await(LONG_AFTER.toSeconds(), TimeUnit.SECONDS)).as("all are held").isTrue();
            for (String key : KEYS) {
                waiters.add(waiter(others.getReservation("of the member: " + key)));
                waiters.add(waiter(others.getReservation("of the client: " + key)));
            }

            fault.accept(cluster);

            for (Thread waiter : waiters) {
                assertThat(waiter.join(LONG_AFTER)).as("got it and is done").isTrue();
            }
            for (Thread holder : holders) {
                assertThat(holder.join(LONG_AFTER)).as("has noticed").isTrue();
            }
        }
        history.assertExclusive();
        assertThat(failures).isEmpty();
        assertThat(history.holds().stream().filter(hold -> hold.node() == MAJORITY)).hasSize(2 * KEYS.size());
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance)
                .domain("guarded")
                .leaseTime(LEASE)
                .autoRenew(Duration.ofHours(1))
                .build();
    }

    /** Holds the key until it is lost. */
    private Thread holder(Reservation reservation) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                long asked = System.nanoTime();
                if (reservation.tryLock(LONG_AFTER.toSeconds(), TimeUnit.SECONDS)) {
                    held.countDown();
                    history.work(MINORITY, reservation, asked, LONG_AFTER);
                }
            } catch (RuntimeException | InterruptedException e) {
                failures.add(e);
            }
        });
    }

    /** Waits for the key; a split may refuse requests for a while. */
    private Thread waiter(Reservation reservation) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                long asked = System.nanoTime();
                if (reservation.tryLock(LONG_AFTER, LEASE)) {
                    history.work(MAJORITY, reservation, asked, WORK);
                    reservation.unlock();
                }
            } catch (RuntimeException | InterruptedException e) {
                failures.add(e);
            }
        });
    }
}
