// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.expiration.SourceRun;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gauges of a source: they show its last run. Micrometer ignores a second gauge of the same name and tags, so all jobs with a
 * source of that name share them; that is why this one thing is static. The last job to close takes them away.
 */
final class RunGauges {

    private record Id(MeterRegistry registry, String source) {}

    private static final Lock GUARD = new ReentrantLock();
    private static final Map<Id, RunGauges> GAUGES = new HashMap<>();

    private final Id id;
    private final List<Gauge> gauges;
    private volatile SourceRun last;
    private int users;

    private RunGauges(Id id, SourceRun first) {
        this.id = id;
        this.last = first;
        Tags tags = Tags.of("source", id.source);
        this.gauges = List.of(
                Gauge.builder(ExpirationMetrics.PREFIX + "lag", this, RunGauges::lagSeconds)
                        .description("How long the oldest overdue row was overdue at the end of the last run")
                        .baseUnit("seconds")
                        .tags(tags)
                        .register(id.registry),
                Gauge.builder(ExpirationMetrics.PREFIX + "set_aside", this,
                        state -> (double) state.last.setAsideCount())
                        .description("Rows that failed and are not expired yet")
                        .tags(tags)
                        .register(id.registry));
    }

    /** Returns the gauges for one more job, which must remove them once. */
    static RunGauges add(MeterRegistry registry, SourceRun first) {
        GUARD.lock();
        try {
            RunGauges gauges =
                    GAUGES.computeIfAbsent(new Id(registry, first.source()), id -> new RunGauges(id, first));
            gauges.users++;
            return gauges;
        } finally {
            GUARD.unlock();
        }
    }

    void show(SourceRun run) {
        last = run;
    }

    /** Not a number if the last run could not find out. */
    private double lagSeconds() {
        return last.lag().map(lag -> lag.toMillis() / 1000.0).orElse(Double.NaN);
    }

    /** By their ids: to pass a gauge as a meter, the JVM would load both when it loads this class. */
    void remove() {
        GUARD.lock();
        try {
            users--;
            if (users == 0) {
                GAUGES.remove(id);
                gauges.forEach(gauge -> id.registry.remove(gauge.getId()));
            }
        } finally {
            GUARD.unlock();
        }
    }
}
