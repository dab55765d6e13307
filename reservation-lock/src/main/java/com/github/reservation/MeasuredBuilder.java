// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.internal.metrics.Instruments;
import org.jspecify.annotations.Nullable;

/**
 * Accepts a meter registry without naming its class in any signature: the class may be missing from the class path, and then a
 * container or a mocking library could not inspect the builder.
 *
 * @param <T> the builder itself
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public class MeasuredBuilder<T> {

    private @Nullable Object meterRegistry;

    /** For the builders of this library. */
    protected MeasuredBuilder() {}

    /**
     * Sets the registry for the meters. Default: null, which means no metrics; Micrometer is not needed then.
     *
     * @param meterRegistry an {@code io.micrometer.core.instrument.MeterRegistry}, or null
     * @throws IllegalArgumentException if it is anything else
     */
    public T meterRegistry(@Nullable Object meterRegistry) {
        this.meterRegistry = Instruments.requireRegistry(meterRegistry);
        return self();
    }

    /** Returns the registry for the meters, or null if there are none. */
    protected final @Nullable Object meterRegistry() {
        return meterRegistry;
    }

    /** Returns this builder. */
    @SuppressWarnings("unchecked")
    protected final T self() {
        return (T) this;
    }
}
