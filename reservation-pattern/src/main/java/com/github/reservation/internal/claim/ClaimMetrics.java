// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The meters of claims in a Micrometer registry. Tags carry the type, never the value; types beyond the first 100 are one. */
public final class ClaimMetrics implements ClaimMeters {

    private static final int MOST_TYPES = 100;
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final String backend;
    private final Set<String> types = ConcurrentHashMap.newKeySet();

    private ClaimMetrics(MeterRegistry registry, String backend) {
        this.registry = registry;
        this.backend = backend;
    }

    /** Returns meters for the registry, or none; without a registry no class of Micrometer is loaded. */
    public static ClaimMeters of(@Nullable Object registry, String backend) {
        return registry == null ? ClaimMeters.NONE : new ClaimMetrics((MeterRegistry) registry, backend);
    }

    @Override
    public void count(Count what, String type) {
        Counter.builder("reservation.claim." + what.name().toLowerCase(Locale.ROOT))
                .description(describe(what))
                .tag("type", tag(type))
                .tag("backend", backend)
                .register(registry)
                .increment();
    }

    private static String describe(Count what) {
        return switch (what) {
            case RESERVED -> "Values that were reserved";
            case CONFLICTS -> "Reservations that were refused because of another claim";
            case CONFIRMED -> "Claims that were confirmed";
            case RELEASED -> "Claims that were released";
            case EXPIRED -> "Claims that were marked as expired, or taken over after their end";
        };
    }

    /** Returns the tag of a type. A few types too many can get a tag of their own if they come at once. */
    private String tag(String type) {
        if (types.contains(type) || (types.size() < MOST_TYPES && types.add(type))) {
            return type;
        }
        return OTHER;
    }

    @Override
    public void time(String operation, String result, Duration elapsed) {
        Timer.builder("reservation.claim")
                .description("Time of a call on claims")
                .tag("operation", operation)
                .tag("result", result)
                .tag("backend", backend)
                .register(registry)
                .record(elapsed);
    }
}
