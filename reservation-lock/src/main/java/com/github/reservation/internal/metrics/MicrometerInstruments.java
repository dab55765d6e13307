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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
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
    private final Map<Tagged, GuardedMeter> meters = new ConcurrentHashMap<>();

    private MicrometerInstruments(MeterRegistry registry, String subject, Tags common) {
        this.registry = registry;
        this.common = common;
        this.problem = subject + " cannot be measured";
    }

    /**
     * A meter that is registered when it is first used. Its guard is its own: one that fails each time would else be warned of each time,
     * because others work in between.
     */
    private static final class GuardedMeter {

        private final Guard guard;
        private final Supplier<DoubleConsumer> register;
        private volatile @Nullable DoubleConsumer registered;

        GuardedMeter(String problem, Supplier<DoubleConsumer> register) {
            this.guard = Guard.logging(problem);
            this.register = register;
        }

        void record(double value) {
            guard.run(() -> {
                DoubleConsumer meter = registered;
                if (meter == null) {
                    meter = register.get();
                    registered = meter;
                }
                meter.accept(value);
            });
        }
    }

    static boolean isRegistry(Object value) {
        return value instanceof MeterRegistry;
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
        measure(meter, amount, tags, all -> Counter.builder(meter.name())
                .description(meter.description())
                .tags(all)
                .register(registry)::increment);
    }

    @Override
    public void time(Meter meter, Duration elapsed, String... tags) {
        measure(meter, (double) elapsed.toNanos(), tags, all -> { // Exact for 104 days.
            Timer timer =
                    Timer.builder(meter.name()).description(meter.description()).tags(all).register(registry);
            return nanos -> timer.record((long) nanos, TimeUnit.NANOSECONDS);
        });
    }

    @Override
    public void record(Meter meter, double value, String... tags) {
        measure(meter, value, tags, all -> DistributionSummary.builder(meter.name())
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(all)
                .register(registry)::record);
    }

    private void measure(Meter meter, double value, String[] tags, Function<Tags, DoubleConsumer> register) {
        meters.computeIfAbsent(
                new Tagged(meter, List.of(tags)),
                tagged -> new GuardedMeter(problem, () -> register.apply(common.and(tags))))
                .record(value);
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
