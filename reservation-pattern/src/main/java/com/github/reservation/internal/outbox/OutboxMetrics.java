// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.metrics.LatestGauges;
import com.github.reservation.internal.metrics.LatestGauges.Reading;
import com.github.reservation.internal.metrics.MeterGuard;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.metrics.SharedGauge;
import com.github.reservation.outbox.OutboxBacklog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The meters of an outbox in a Micrometer registry. Tags carry the table and the id of a listener, never a key. */
public final class OutboxMetrics implements OutboxMeters {

    private static final String PREFIX = "reservation.outbox.";

    private static final LatestGauges<OutboxBacklog> BACKLOG = new LatestGauges<>(List.of(
            new Reading<>(
                    PREFIX + "pending", "Events that wait, when last counted", "events", OutboxBacklog::pending),
            new Reading<>(
                    PREFIX + "parked_now", "Events that are parked, when last counted", "events",
                    OutboxBacklog::parked),
            new Reading<>(
                    PREFIX + "oldest", "Age of the oldest event, when last counted", "seconds", OutboxMetrics::age)));

    private final MeterRegistry registry;
    private final Tags tags;
    private final MeterGuard guard = new MeterGuard("An outbox");
    private volatile LatestGauges<OutboxBacklog>.@Nullable Shared gauges;

    private OutboxMetrics(MeterRegistry registry, String table) {
        this.registry = registry;
        this.tags = Tags.of("table", table);
    }

    /** Returns meters for the registry, or none; without a registry no class of Micrometer is loaded. */
    public static OutboxMeters of(@Nullable Object registry, String table) {
        return registry == null ? OutboxMeters.NONE : new OutboxMetrics((MeterRegistry) registry, table);
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public void count(Count what, String listener, int events) {
        guard.run(() -> Counter.builder(PREFIX + what.name().toLowerCase(Locale.ROOT))
                .description(switch (what) {
                    case DELIVERED -> "Deliveries that succeeded";
                    case FAILED -> "Attempts that failed";
                    case PARKED -> "Deliveries that failed too often";
                })
                .tags(tags.and("listener", listener))
                .register(registry)
                .increment(events));
    }

    @Override
    public void show(OutboxBacklog backlog) {
        guard.run(() -> {
            LatestGauges<OutboxBacklog>.Shared shown = gauges;
            if (shown == null) {
                gauges = BACKLOG.add(registry, tags, backlog);
            } else {
                shown.show(backlog);
            }
        });
    }

    @Override
    public Meters.Registration trackSlow(String listener, IntSupplier deliveries) {
        List<Meters.Registration> tracked = new ArrayList<>();
        guard.run(() -> tracked.add(SharedGauge.add(
                registry,
                PREFIX + "slow",
                "Deliveries that have been under way for more than a second",
                tags.and("listener", listener),
                deliveries)));
        return () -> guard.run(() -> tracked.forEach(Meters.Registration::close));
    }

    private static double age(OutboxBacklog backlog) {
        return backlog.oldest().map(age -> age.toMillis() / 1000.0).orElse(0.0);
    }

    @Override
    public void close() {
        guard.run(() -> {
            LatestGauges<OutboxBacklog>.Shared shown = gauges;
            if (shown != null) {
                shown.remove();
                gauges = null;
            }
        });
    }
}
