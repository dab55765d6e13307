// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import org.jspecify.annotations.Nullable;

/**
 * Accepts a meter registry without naming its class, which may be missing from the class path: the compiler checks {@code R} but
 * erases it to {@code Object}. If the builder named the class, reflection by a container or a mock would fail without Micrometer.
 * The bound of {@link ReservationManager#hazelcast} works only for an interface, and the registry is a class.
 *
 * @param <R> the registry
 * @param <T> the builder itself
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public class MeasuredBuilder<R, T> {

    private @Nullable R meterRegistry;

    /** For the builders of this library. */
    protected MeasuredBuilder() {}

    /** Sets the registry for the meters. Default: null, which means no metrics; Micrometer is not needed then. */
    public T meterRegistry(@Nullable R meterRegistry) {
        this.meterRegistry = meterRegistry;
        return self();
    }

    /** Returns the registry for the meters, or null if there are none. */
    protected final @Nullable R meterRegistry() {
        return meterRegistry;
    }

    @SuppressWarnings("unchecked")
    final T self() {
        return (T) this;
    }
}
