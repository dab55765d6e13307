// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.ScriptedStore;
import com.github.reservation.contract.ScriptedStore.Op;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The instance is shut down before its manager is closed. */
@Needs(Backend.HAZELCAST)
class LeavingTest {

    @Test
    void whatIsHeldThenIsLost_andNoThreadIsLeft() {
        Set<Thread> before = clocks(); // Tests before this one may keep the clock of the JVM.
        List<LostReservation> lost = new CopyOnWriteArrayList<>();
        HazelcastInstance member = TestInstances.member();
        ReservationManager manager = ReservationManager.hazelcast(member)
                .domain("leaving")
                .leaseTime(Duration.ofHours(1))
                .build();
        manager.onLost(lost::add);
        Reservation held = manager.getReservation("42");
        held.lock();

        member.shutdown();
        await().until(() -> !lost.isEmpty());
        manager.close();

        assertThat(lost).singleElement()
                .satisfies(loss -> assertThat(loss.reason()).isEqualTo(LossReason.DISCONNECTED));
        assertThat(held.isHeldByCurrentThread()).isFalse();
        await().atMost(Duration.ofSeconds(8)).until(() -> before.containsAll(clocks()));
    }

    /** It goes on asking for as long as its lease would be, as in any outage. */
    @Test
    void aThreadThatWaitsThenLearnsThatTheInstanceIsShutDown() {
        HazelcastInstance member = TestInstances.member();
        HazelcastInstance client =
                TestInstances.client(member.getCluster().getLocalMember().getAddress().getPort());
        HazelcastBackend backend = new HazelcastBackend(client);
        ScriptedStore store = new ScriptedStore(backend.store());
        try (ReservationManager holder = backend.node("leaving", Duration.ofHours(1));
                ReservationManager waiter = backend.node("leaving", Duration.ofMillis(100), store)) {
            holder.getReservation("42").lock();
            store.next(Op.ACQUIRE, true, client::shutdown);

            assertThatThrownBy(waiter.getReservation("42")::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("The Hazelcast instance is shut down");
        } finally {
            client.shutdown();
            member.shutdown();
        }
    }

    private static Set<Thread> clocks() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("reservation-clock"))
                .collect(Collectors.toSet());
    }
}
