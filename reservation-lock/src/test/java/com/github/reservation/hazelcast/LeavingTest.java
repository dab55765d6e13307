// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
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

    private static Set<Thread> clocks() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("reservation-clock"))
                .collect(Collectors.toSet());
    }
}
