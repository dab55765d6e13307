// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.internal.metrics.Meters.Registration;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * Sums the holds of all managers that have the same registry and tags. Micrometer ignores a second gauge of the same name
 * and tags, so they share one; that is why this one thing is static. The last manager to close takes it away.
 */
final class ActiveGauge {

    private record Id(MeterRegistry registry, Tags tags) {}

    private static final Lock GUARD = new ReentrantLock();
    private static final Map<Id, ActiveGauge> GAUGES = new HashMap<>();

    private final List<IntSupplier> sources = new CopyOnWriteArrayList<>();
    private final Id id;
    private final Gauge gauge;

    private ActiveGauge(Id id) {
        this.id = id;
        this.gauge = Gauge.builder("reservation.active", sources, ActiveGauge::sum)
                .description("Reservations held by this process, as far as they can be trusted")
                .tags(id.tags)
                .register(id.registry);
    }

    static Registration add(MeterRegistry registry, Tags tags, IntSupplier holds) {
        GUARD.lock();
        try {
            ActiveGauge gauge = GAUGES.computeIfAbsent(new Id(registry, tags), ActiveGauge::new);
            gauge.sources.add(holds);
            return () -> gauge.remove(holds);
        } finally {
            GUARD.unlock();
        }
    }

    private void remove(IntSupplier holds) {
        GUARD.lock();
        try {
            sources.remove(holds);
            if (sources.isEmpty()) {
                id.registry.remove(gauge);
                GAUGES.remove(id);
            }
        } finally {
            GUARD.unlock();
        }
    }

    private static double sum(List<IntSupplier> sources) {
        return sources.stream().mapToInt(IntSupplier::getAsInt).sum();
    }
}
