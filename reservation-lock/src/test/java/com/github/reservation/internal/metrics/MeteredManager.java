// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

/** What tests of the meters start from: a manager with a registry, in a time that a test moves by hand. */
abstract class MeteredManager {

    static final Duration LEASE = Duration.ofMinutes(1);

    final ManualTicker ticker = new ManualTicker();
    final InMemoryStore store = new InMemoryStore(ticker);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final List<ReservationManager> managers = new ArrayList<>();
    final ReservationManager manager = manager("orders", registry);
    final Reservation reservation = manager.getReservation("42");

    @AfterEach
    void close() {
        store.recover();
        managers.forEach(ReservationManager::close);
    }

    ReservationManager manager(String domain, MeterRegistry meterRegistry) {
        ReservationManager built = ReservationManager.inMemory(store)
                .domain(domain)
                .leaseTime(LEASE)
                .meterRegistry(meterRegistry)
                .build();
        managers.add(built);
        return built;
    }

    /** Another node that is not measured. */
    Reservation elsewhere() {
        return manager("orders", null).getReservation("42");
    }

    Set<String> valuesOf(String tag) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getTag(tag))
                .filter(value -> value != null)
                .collect(Collectors.toSet());
    }

    /** Asserts that there were attempts with this result and with no other. */
    void assertAttempts(String result, int count, Duration total) {
        assertThat(registry.get("reservation.acquire").timers())
                .extracting(timer -> timer.getId().getTag("result"))
                .containsExactly(result);
        assertThat(attempts(result).count()).isEqualTo(count);
        Timer timer = registry.get("reservation.acquire")
                .tags("domain", "orders", "backend", "memory", "result", result)
                .timer();
        assertThat(timer.count()).isEqualTo(count);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(total.toNanos());
    }

    Counter attempts(String result) {
        return registry.get("reservation.acquire.attempts")
                .tags("domain", "orders", "backend", "memory", "result", result)
                .counter();
    }

    double expired() {
        Counter counter = registry.find("reservation.expired")
                .tags("domain", "orders", "backend", "memory")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    void awaitExpired(int count) {
        await().until(() -> expired() == count);
    }
}
