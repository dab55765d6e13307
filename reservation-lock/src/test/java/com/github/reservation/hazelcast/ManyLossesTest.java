// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever holds thousands of locks loses them all at once. */
@Needs(Backend.HAZELCAST)
class ManyLossesTest {

    private static final int MANY = 5000;
    private static final int FEW = 500;

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

    @Test
    void tenTimesAsManyTakeAboutTenTimesTheWork() throws InterruptedException {
        nanosToLose(FEW);

        long few = Math.min(nanosToLose(FEW), nanosToLose(FEW));
        long many = Math.min(nanosToLose(10 * FEW), nanosToLose(10 * FEW));

        assertThat(many).as("few took %d ns", few).isLessThan(10 * few * 3); // Its square would be a hundred times as much.
    }

    /** Returns how long the thread that loses them computes: how long it takes by the clock depends on what else the machine does. */
    private long nanosToLose(int count) throws InterruptedException {
        CallInterceptor leaving = new CallInterceptor(member);
        CountDownLatch told = new CountDownLatch(count);
        String run = "run-" + System.nanoTime() + "-"; // Names keys that no run before has locked.
        try (ReservationManager manager = ReservationManager.hazelcast(leaving.instance())
                .domain("many-" + count)
                .leaseTime(Duration.ofHours(1))
                .build()) {
            manager.onLost(loss -> told.countDown());
            for (int i = 0; i < count; i++) {
                manager.getReservation(run + i).lock();
            }
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long start = threads.getCurrentThreadCpuTime();
            leaving.pretend(LifecycleState.SHUTTING_DOWN);
            long computed = threads.getCurrentThreadCpuTime() - start;
            told.await();
            return computed;
        }
    }
}
