// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters in a Micrometer registry. Tags carry the domain, never the identifier: there is no end of those. A registry that fails
 * never harms a lock, see {@link MeterGuard}.
 */
public final class ReservationMetrics implements Meters {

    private record Outcome(String domain, String result) {}

    private record AcquireMeters(Timer timer, Counter attempts) {}

    private final MeterRegistry registry;
    private final String backend;
    private final Map<Outcome, AcquireMeters> acquire = new ConcurrentHashMap<>();
    private final Map<String, Timer> held = new ConcurrentHashMap<>();
    private final MeterGuard guard = new MeterGuard("Reservations");

    private ReservationMetrics(MeterRegistry registry, String backend) {
        this.registry = registry;
        this.backend = backend;
    }

    /** Returns meters for the registry, or none; without a registry no class of Micrometer is loaded. */
    public static Meters of(@Nullable Object registry, String backend) {
        return registry == null ? Meters.NONE : new ReservationMetrics((MeterRegistry) registry, backend);
    }

    @Override
    public void recordAcquisition(String domain, Duration elapsed, String result) {
        guard.run(() -> {
            AcquireMeters meters = acquire.computeIfAbsent(new Outcome(domain, result), this::acquireMeters);
            meters.timer.record(elapsed);
            meters.attempts.increment();
        });
    }

    @Override
    public void recordHeld(String domain, Duration elapsed) {
        guard.run(() -> held.computeIfAbsent(domain, this::heldTimer).record(elapsed));
    }

    @Override
    public void recordExpiration(String domain) {
        count("reservation.expired", "Reservations that were lost before they were unlocked", domain, Tags.empty(), 1);
    }

    @Override
    public void recordLoss(String domain, LossReason reason) {
        Tags tags = Tags.of("reason", reason.name().toLowerCase(Locale.ROOT));
        count("reservation.lost", "Reservations that were lost, by reason", domain, tags, 1);
    }

    @Override
    public void recordNearMiss(String domain) {
        String description = "Reservations that were released when less than a tenth of their lease was left";
        count("reservation.near.misses", description, domain, Tags.empty(), 1);
    }

    @Override
    public void recordRenewals(String domain, String result, int count) {
        count("reservation.renewals", "Renewals of leases", domain, Tags.of("result", result), count);
    }

    @Override
    public void recordStoreError(String domain, String kind) {
        count("reservation.store.errors", "Calls that the store did not answer", domain, Tags.of("kind", kind), 1);
    }

    private void count(String name, String description, String domain, Tags more, int amount) {
        if (amount > 0) {
            guard.run(() -> Counter.builder(name)
                    .description(description)
                    .tags(tags(domain).and(more))
                    .register(registry)
                    .increment(amount));
        }
    }

    @Override
    public Registration trackWaiting(String domain, IntSupplier waiters) {
        return track("reservation.waiting", "Threads of this process that wait for a reservation", domain, waiters);
    }

    @Override
    public Registration trackActive(String domain, IntSupplier holds) {
        String description = "Reservations held by this process, as far as they can be trusted";
        return track("reservation.active", description, domain, holds);
    }

    /** Not guarded: when a manager is built nothing can be harmed yet, and the caller should know. */
    private Registration track(String name, String description, String domain, IntSupplier source) {
        Registration registration = SharedGauge.add(registry, name, description, tags(domain), source);
        return () -> guard.run(registration::close);
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
