// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.SourceRun;
import com.github.reservation.internal.metrics.LatestGauges;
import com.github.reservation.internal.metrics.LatestGauges.Reading;
import com.github.reservation.internal.metrics.MeterGuard;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The meters of a job in a Micrometer registry. Tags carry the name of the source, never a row. */
public final class ExpirationMetrics implements ExpirationMeters {

    private static final String PREFIX = "reservation.expiration.";

    private static final LatestGauges<SourceRun> LAST_RUN = new LatestGauges<>(List.of(
            new Reading<>(
                    PREFIX + "lag",
                    "How long the oldest overdue row was overdue at the end of the last run",
                    "seconds",
                    ExpirationMetrics::lagSeconds),
            new Reading<>(
                    PREFIX + "set_aside",
                    "Rows that failed and are not expired yet",
                    null,
                    run -> (double) run.setAsideCount())));

    private final MeterRegistry registry;
    private final Map<String, LatestGauges<SourceRun>.Shared> gauges = new ConcurrentHashMap<>();
    private final MeterGuard guard = new MeterGuard("Expiration");

    private ExpirationMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Returns meters for the registry, or none; without a registry no class of Micrometer is loaded. */
    public static ExpirationMeters of(@Nullable Object registry) {
        return registry == null ? ExpirationMeters.NONE : new ExpirationMetrics((MeterRegistry) registry);
    }

    @Override
    public void record(SourceRun run) {
        guard.run(() -> measure(run));
    }

    private void measure(SourceRun run) {
        Tags tags = Tags.of("source", run.source());
        gauges.computeIfAbsent(run.source(), source -> LAST_RUN.add(registry, tags, run)).show(run);
        counter("processed_count", "Rows that expired", tags).increment((double) run.processedCount());
        counter("failed_count", "Rows that were tried and could not expire", tags)
                .increment((double) run.failedCount());
        counter("failed_runs", "Runs that ended before they had tried all rows", tags)
                .increment(run.failure().isPresent() ? 1 : 0);
        DistributionSummary.builder(PREFIX + "duration_ms")
                .description("Time of a run")
                .baseUnit("milliseconds")
                .tags(tags)
                .register(registry)
                .record((double) run.duration().toMillis());
    }

    /** Not a number if the last run could not find out. */
    private static double lagSeconds(SourceRun run) {
        return run.lag().map(lag -> lag.toMillis() / 1000.0).orElse(Double.NaN);
    }

    private Counter counter(String name, String description, Tags tags) {
        return Counter.builder(PREFIX + name).description(description).tags(tags).register(registry);
    }

    @Override
    public void close() {
        guard.run(() -> gauges.keySet().forEach(
                source -> Optional.ofNullable(gauges.remove(source)).ifPresent(LatestGauges.Shared::remove)));
    }
}
