// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The five meters in a Micrometer registry. Tags carry the domain, never the identifier: there is no end of those. */
public final class ReservationMetrics implements Meters {

    private record Outcome(String domain, String result) {}

    private record AcquireMeters(Timer timer, Counter attempts) {}

    private final MeterRegistry registry;
    private final String backend;
    private final Map<Outcome, AcquireMeters> acquire = new ConcurrentHashMap<>();
    private final Map<String, Timer> held = new ConcurrentHashMap<>();

    public ReservationMetrics(MeterRegistry registry, String backend) {
        this.registry = registry;
        this.backend = backend;
    }

    /** Returns meters for the registry, or none; without a registry no class of Micrometer is loaded. */
    public static Meters of(@Nullable MeterRegistry registry, String backend) {
        return registry == null ? Meters.NONE : new ReservationMetrics(registry, backend);
    }

    @Override
    public void recordAcquisition(String domain, Duration elapsed, String result) {
        AcquireMeters meters = acquire.computeIfAbsent(new Outcome(domain, result), this::acquireMeters);
        meters.timer.record(elapsed);
        meters.attempts.increment();
    }

    @Override
    public void recordHeld(String domain, Duration elapsed) {
        held.computeIfAbsent(domain, this::heldTimer).record(elapsed);
    }

    @Override
    public void recordExpiration(String domain) {
        Counter.builder("reservation.expired")
                .description("Reservations that were lost before they were unlocked")
                .tags(tags(domain))
                .register(registry)
                .increment();
    }

    @Override
    public Registration trackActive(String domain, IntSupplier holds) {
        return ActiveGauge.add(registry, tags(domain), holds);
    }

    private AcquireMeters acquireMeters(Outcome outcome) {
        Tags tags = tags(outcome.domain).and("result", outcome.result);
        return new AcquireMeters(
                Timer.builder("reservation.acquire")
                        .description("Time to acquire a reservation, or to fail to")
                        .tags(tags)
                        .register(registry),
                Counter.builder("reservation.acquire.attempts")
                        .description("Calls of the lock and tryLock methods")
                        .tags(tags)
                        .register(registry));
    }

    private Timer heldTimer(String domain) {
        return Timer.builder("reservation.held.time")
                .description("Time from acquisition to unlock or loss")
                .tags(tags(domain))
                .register(registry);
    }

    private Tags tags(String domain) {
        return Tags.of("domain", domain, "backend", backend);
    }
}
