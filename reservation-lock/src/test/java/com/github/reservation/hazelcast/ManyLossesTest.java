// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever holds thousands of locks loses them all at once. */
@Needs(Backend.HAZELCAST)
class ManyLossesTest {

    private static final int MANY = 5000;

    private final HazelcastInstance member = TestInstances.member();
    private final CallInterceptor interceptor = new CallInterceptor(member);

    @AfterEach
    void shutDown() {
        member.shutdown();
    }

    @Test
    void noneIsHeldAnyMoreWhenTheFirstListenerIsTold() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Queue<Double> stillHeld = new ConcurrentLinkedQueue<>();
        try (ReservationManager manager = ReservationManager.hazelcast(interceptor.instance())
                .domain("many")
                .leaseTime(Duration.ofHours(1))
                .meterRegistry(registry)
                .build()) {
            manager.onLost(loss -> stillHeld.add(registry.get("reservation.active").gauge().value()));
            for (int i = 0; i < MANY; i++) {
                manager.getReservation("held-" + i).lock();
            }
            assertThat(registry.get("reservation.active").gauge().value()).isEqualTo(MANY);

            interceptor.pretend(LifecycleState.SHUTTING_DOWN);

            Awaitility.await().until(() -> stillHeld.size() == MANY);
            assertThat(stillHeld).containsOnly(0.0);
        }
    }
}
