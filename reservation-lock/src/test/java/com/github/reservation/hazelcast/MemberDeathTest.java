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
import org.junit.jupiter.api.Test;

/** A member dies while the leases of a stopped process run out and four nodes wait for them. */
@SideBySide
@Needs(Backend.HAZELCAST)
class MemberDeathTest {

    private static final int NODES = 4;
    private static final Duration WORK = Duration.ofMillis(300);

    /** Long enough for the member to be replaced meanwhile. */
    private static final Duration LEASE = Duration.ofSeconds(9);

    private static final Duration LONG_LEASE = Duration.ofMinutes(5);
    private static final Duration LONG_AFTER = Duration.ofSeconds(60);

    private final HoldHistory history = new HoldHistory();
    private final List<RuntimeException> failures = new CopyOnWriteArrayList<>();

    @Test
    void whatAStoppedProcessLeavesBehindGoesToOneHolderAfterAnother() throws Exception {
        try (BreakableCluster cluster = new BreakableCluster();
                ClientProcess stopped = new ClientProcess(cluster.entry(), LEASE)) {
            List<ReservationManager> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(manager(cluster.client()));
            }
            assertThat(stopped.does("lock all")).isEqualTo("locked");
            stopped.freeze();
            List<Thread> waiters = new ArrayList<>();
            for (int node = 0; node < NODES; node++) {
                for (String key : ClientProcess.allKeys()) {
                    waiters.add(waiter(node, nodes.get(node).getReservation(key)));
                }
            }

            cluster.kill(1);
            cluster.replace(1);

            for (Thread waiter : waiters) {
                assertThat(waiter.join(LONG_AFTER)).as("got it and is done").isTrue();
            }
            nodes.forEach(ReservationManager::close);
        }
        history.assertExclusive();
        assertThat(failures).isEmpty();
        assertThat(history.holds()).hasSize(NODES * ClientProcess.allKeys().size());
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain(ClientProcess.DOMAIN).leaseTime(LONG_LEASE).build();
    }

    private Thread waiter(int node, Reservation reservation) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                long asked = System.nanoTime();
                reservation.lock();
                history.work(node, reservation, asked, WORK);
                reservation.unlock();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        });
    }
}
