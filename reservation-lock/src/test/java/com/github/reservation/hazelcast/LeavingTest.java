// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member that leaves its cluster in good order. Hazelcast goes on working for a while after it has said so. */
@Needs(Backend.HAZELCAST)
class LeavingTest {

    private final HazelcastInstance member = TestInstances.member();
    private final CallInterceptor interceptor = new CallInterceptor(member);
    private final ReservationManager manager = ReservationManager.hazelcast(interceptor.instance())
            .domain("leaving")
            .leaseTime(Duration.ofHours(1))
            .build();

    @AfterEach
    void shutDown() {
        manager.close();
        member.shutdown();
    }

    @Test
    void aMemberThatShutsDownIsGrantedNothingAnyMore() {
        Reservation before = manager.getReservation("before");
        before.lock();

        interceptor.pretend(LifecycleState.SHUTTING_DOWN);

        assertThat(before.isHeldByCurrentThread()).isFalse();
        assertThat(manager.getReservation("after").tryLock()).isFalse();
        assertThatThrownBy(manager.getReservation("after")::lock)
                .hasRootCauseMessage("The Hazelcast instance is leaving its cluster");
    }

    @Test
    void aMemberThatMergesIsGrantedNothingUntilItHas() {
        interceptor.pretend(LifecycleState.MERGING);
        assertThat(manager.getReservation("42").tryLock()).isFalse();

        interceptor.pretend(LifecycleState.MERGED);
        assertThat(manager.getReservation("42").tryLock()).isTrue();
    }

    @Test
    void theThreadOfTheLeasesEndsWithTheInstanceAndTheManager() {
        manager.getReservation("42").lock();
        member.shutdown();

        manager.close();

        await().atMost(Duration.ofSeconds(8))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("reservation-leases-reservations-leaving")));
    }
}
