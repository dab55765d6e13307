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
 * A gauge that sums the numbers of all managers that have the same registry and tags. Micrometer ignores a second gauge of the same name
 * and tags, so they share one; that is why this one thing is static. The last manager to close takes it away.
 */
public final class SharedGauge {

    private record Id(MeterRegistry registry, String name, Tags tags) {}

    private static final Lock GUARD = new ReentrantLock();
    private static final Map<Id, SharedGauge> GAUGES = new HashMap<>();

    private final List<IntSupplier> sources = new CopyOnWriteArrayList<>();
    private final Id id;
    private final Gauge gauge;

    private SharedGauge(Id id, String description) {
        this.id = id;
        this.gauge = Gauge.builder(id.name, sources, SharedGauge::sum)
                .description(description)
                .tags(id.tags)
                .register(id.registry);
    }

    public static Registration add(
            MeterRegistry registry, String name, String description, Tags tags, IntSupplier source) {
        GUARD.lock();
        try {
            SharedGauge gauge = GAUGES.computeIfAbsent(
                    new Id(registry, name, tags), id -> new SharedGauge(id, description));
            gauge.sources.add(source);
            return () -> gauge.remove(source);
        } finally {
            GUARD.unlock();
        }
    }

    private void remove(IntSupplier source) {
        GUARD.lock();
        try {
            sources.remove(source);
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
