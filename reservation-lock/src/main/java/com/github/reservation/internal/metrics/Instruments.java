// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import com.github.reservation.Registration;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts, times and shows what happens, by the name of a meter and tags. Knows nothing of Micrometer, which need not be there. A registry
 * that fails harms nobody, see {@link com.github.reservation.internal.base.Guard}. Tags are names and values in turn.
 */
public interface Instruments {

    /** A meter: its name, what it measures, and in which unit if it is a number. */
    record Meter(String name, String description, @Nullable String unit) {

        public Meter(String name, String description) {
            this(name, description, null);
        }
    }

    /** A gauge that shows what was last reported. */
    interface Latest {

        /** Shows nothing. */
        Latest NOWHERE = new Latest() {};

        default void show(double value) {}

        /** Removes the gauge, unless others show it too. */
        default void close() {}
    }

    /** Measures nothing. */
    Instruments NONE = new Instruments() {};

    /**
     * Returns what a caller passes as a registry, which exported methods cannot name because its class may be missing. It may be null: then
     * no class of Micrometer is loaded.
     *
     * @throws IllegalArgumentException if it is no registry
     */
    static @Nullable Object requireRegistry(@Nullable Object value) {
        if (value != null && !isRegistry(value)) {
            throw new IllegalArgumentException(
                    "meterRegistry must be an io.micrometer.core.instrument.MeterRegistry, but is a "
                            + value.getClass().getName());
        }
        return value;
    }

    private static boolean isRegistry(Object value) {
        try {
            return MicrometerInstruments.isRegistry(value);
        } catch (NoClassDefFoundError e) {
            return false; // Without Micrometer there is no registry.
        }
    }

    /**
     * Returns instruments for the registry, or none; without a registry no class of Micrometer is loaded.
     *
     * @param subject what the log names if it cannot be measured
     * @param tags what all meters carry
     */
    static Instruments of(@Nullable Object registry, String subject, String... tags) {
        return registry == null ? NONE : MicrometerInstruments.of(registry, subject, tags);
    }

    /** Returns whether anything is measured at all: to take times costs something. */
    default boolean areOn() {
        return false;
    }

    default void count(Meter meter, double amount, String... tags) {}

    default void time(Meter meter, Duration elapsed, String... tags) {}

    /** Records one number of a distribution. */
    default void record(Meter meter, double value, String... tags) {}

    /**
     * Shows the sum of this source and all others with the same registry, name and tags, until the result is closed.
     *
     * @throws RuntimeException if the registry does: nothing can be harmed yet, and the caller should know
     */
    default Registration sum(Meter meter, IntSupplier source, String... tags) {
        return () -> {};
    }

    /** Returns a gauge for one of those who show it, from the first value on. All with the same registry, name and tags share it. */
    default Latest latest(Meter meter, String... tags) {
        return Latest.NOWHERE;
    }
}
