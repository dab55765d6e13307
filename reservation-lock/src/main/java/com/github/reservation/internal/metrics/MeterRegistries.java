// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** Checks what callers pass as a meter registry: exported methods cannot name its class, which may be missing. */
public final class MeterRegistries {

    private MeterRegistries() {}

    /**
     * Returns the value if it is a registry or null; if it is null, no class of Micrometer is loaded.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static @Nullable Object requireRegistry(@Nullable Object value) {
        if (value != null && !isRegistry(value)) {
            throw new IllegalArgumentException(
                    "meterRegistry must be an io.micrometer.core.instrument.MeterRegistry, but is a "
                            + value.getClass().getName());
        }
        return value;
    }

    private static boolean isRegistry(Object value) {
        try {
            return value instanceof MeterRegistry;
        } catch (NoClassDefFoundError e) {
            return false; // Without Micrometer there is no registry.
        }
    }
}
