// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gauges that show what was last reported. Micrometer ignores a second gauge of the same name and tags, so all who report to the same
 * registry with the same tags share them; that is why an instance of this class is static. The last one to leave takes them away.
 *
 * @param <T> what is reported
 */
public final class LatestGauges<T> {

    /** What one of the gauges shows. */
    public record Reading<T>(String name, String description, @Nullable String unit, ToDoubleFunction<T> value) {}

    private record Id(MeterRegistry registry, Tags tags) {}

    private final Lock guard = new ReentrantLock();
    private final Map<Id, Shared> shared = new HashMap<>();
    private final List<Reading<T>> readings;

    public LatestGauges(List<Reading<T>> readings) {
        this.readings = readings;
    }

    /** Returns the gauges for one more who reports, and who must remove them once. */
    public Shared add(MeterRegistry registry, Tags tags, T first) {
        guard.lock();
        try {
            Shared gauges = shared.computeIfAbsent(new Id(registry, tags), id -> new Shared(id, first));
            gauges.last = first;
            gauges.users++;
            return gauges;
        } finally {
            guard.unlock();
        }
    }

    /** The gauges of a registry with the same tags. */
    public final class Shared {

        private final Id id;
        private final List<Gauge> gauges;
        private volatile T last;
        private int users;

        private Shared(Id id, T first) {
            this.id = id;
            this.last = first;
            this.gauges = readings.stream().map(this::gauge).toList();
        }

        private Gauge gauge(Reading<T> reading) {
            return Gauge.builder(reading.name, this, state -> reading.value.applyAsDouble(state.last))
                    .description(reading.description)
                    .baseUnit(reading.unit)
                    .tags(id.tags)
                    .register(id.registry);
        }

        public void show(T report) {
            last = report;
        }

        /** By their ids: to pass a gauge as a meter, the JVM would load both when it loads this class. */
        public void remove() {
            guard.lock();
            try {
                users--;
                if (users == 0) {
                    shared.remove(id);
                    gauges.forEach(gauge -> id.registry.remove(gauge.getId()));
                }
            } finally {
                guard.unlock();
            }
        }
    }
}
