// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.Registration;
import com.github.reservation.internal.base.Guard;
import com.github.reservation.internal.base.Shared;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Meters in a Micrometer registry. */
final class MicrometerInstruments implements Instruments {

    /** A meter with the tags that a caller adds. */
    private record Tagged(Meter meter, List<String> tags) {}

    private record GaugeId(MeterRegistry registry, Meter meter, Tags tags) {}

    /** Micrometer ignores a second gauge of the same name and tags, so all of the JVM share one. */
    private static final Shared<GaugeId, SharedGauge> GAUGES =
            new Shared<>(SharedGauge::new, SharedGauge::remove);

    private final MeterRegistry registry;
    private final Tags common;
    private final String problem;
    private final Map<Tagged, Guarded<Counter>> counters = new ConcurrentHashMap<>();
    private final Map<Tagged, Guarded<Timer>> timers = new ConcurrentHashMap<>();
    private final Map<Tagged, Guarded<DistributionSummary>> summaries = new ConcurrentHashMap<>();

    private MicrometerInstruments(MeterRegistry registry, String subject, Tags common) {
        this.registry = registry;
        this.common = common;
        this.problem = subject + " cannot be measured";
    }

    /**
     * A meter that is registered when it is first used. Its guard is its own: one that fails each time would else be warned of each time,
     * because others work in between.
     */
    private static final class Guarded<M> {

        private final Guard guard;
        private final Supplier<M> register;
        private volatile @Nullable M registered;

        Guarded(String problem, Supplier<M> register) {
            this.guard = Guard.logging(problem);
            this.register = register;
        }

        void use(Consumer<M> measurement) {
            guard.run(() -> {
                M meter = registered;
                if (meter == null) {
                    meter = register.get();
                    registered = meter;
                }
                measurement.accept(meter);
            });
        }
    }

    static Instruments of(Object registry, String subject, String... tags) {
        return new MicrometerInstruments((MeterRegistry) registry, subject, Tags.of(tags));
    }

    @Override
    public boolean areOn() {
        return true;
    }

    @Override
    public void count(Meter meter, double amount, String... tags) {
        counters.computeIfAbsent(
                new Tagged(meter, List.of(tags)), tagged -> new Guarded<>(problem, () -> counter(tagged)))
                .use(counter -> counter.increment(amount));
    }

    private Counter counter(Tagged tagged) {
        return Counter.builder(tagged.meter.name())
                .description(tagged.meter.description())
                .tags(all(tagged.tags))
                .register(registry);
    }

    @Override
    public void time(Meter meter, Duration elapsed, String... tags) {
        timers.computeIfAbsent(
                new Tagged(meter, List.of(tags)), tagged -> new Guarded<>(problem, () -> timer(tagged)))
                .use(timer -> timer.record(elapsed));
    }

    private Timer timer(Tagged tagged) {
        return Timer.builder(tagged.meter.name())
                .description(tagged.meter.description())
                .tags(all(tagged.tags))
                .register(registry);
    }

    @Override
    public void record(Meter meter, double value, String... tags) {
        summaries.computeIfAbsent(
                new Tagged(meter, List.of(tags)), tagged -> new Guarded<>(problem, () -> summary(tagged)))
                .use(summary -> summary.record(value));
    }

    private DistributionSummary summary(Tagged tagged) {
        return DistributionSummary.builder(tagged.meter.name())
                .description(tagged.meter.description())
                .baseUnit(tagged.meter.unit())
                .tags(all(tagged.tags))
                .register(registry);
    }

    @Override
    public Registration sum(Meter meter, IntSupplier source, String... tags) {
        GaugeId id = new GaugeId(registry, meter, common.and(tags));
        Registration registration =
                GAUGES.join(id, gauge -> gauge.sources.add(source), gauge -> gauge.sources.remove(source));
        Guard guard = Guard.logging(problem);
        return () -> guard.run(registration::close);
    }

    @Override
    public Latest latest(Meter meter, String... tags) {
        return new LatestGauge(new GaugeId(registry, meter, common.and(tags)), Guard.logging(problem));
    }

    private Tags all(List<String> tags) {
        return common.and(tags.toArray(String[]::new));
    }

    /** A gauge, and what it shows: a sum, or what was last reported. */
    private static final class SharedGauge {

        private final GaugeId id;
        private final Gauge gauge;
        private final List<IntSupplier> sources = new CopyOnWriteArrayList<>();
        private volatile double latest = Double.NaN;

        SharedGauge(GaugeId id) {
            this.id = id;
            this.gauge = Gauge.builder(id.meter.name(), this, SharedGauge::value)
                    .description(id.meter.description())
                    .baseUnit(id.meter.unit())
                    .tags(id.tags)
                    .register(id.registry);
        }

        private double value() {
            return sources.isEmpty() ? latest : sources.stream().mapToInt(IntSupplier::getAsInt).sum();
        }

        void remove() {
            id.registry.remove(gauge.getId());
        }
    }

    private static final class LatestGauge implements Latest {

        private final GaugeId id;
        private final Guard guard;
        private final Lock changing = new ReentrantLock();
        private @Nullable SharedGauge shown;
        private Registration registration = () -> {};

        LatestGauge(GaugeId id, Guard guard) {
            this.id = id;
            this.guard = guard;
        }

        @Override
        public void show(double value) {
            guard.run(() -> {
                changing.lock();
                try {
                    if (shown == null) {
                        registration = GAUGES.join(id, gauge -> shown = gauge, gauge -> {});
                    }
                    Objects.requireNonNull(shown).latest = value;
                } finally {
                    changing.unlock();
                }
            });
        }

        @Override
        public void close() {
            guard.run(() -> {
                changing.lock();
                try {
                    shown = null;
                    registration.close();
                } finally {
                    changing.unlock();
                }
            });
        }
    }
}
