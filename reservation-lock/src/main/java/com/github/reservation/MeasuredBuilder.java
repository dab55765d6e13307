// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import org.jspecify.annotations.Nullable;

/**
 * Takes a meter registry without naming its class, which need not be on the class path: the compiler checks {@code R}, but
 * writes {@code Object} into the class file. Reflection on a builder that named the class, by a container or a mock, would
 * fail without Micrometer. A bound as in {@link ReservationManager#hazelcast} does not work for a class, only for an
 * interface.
 *
 * @param <R> the registry
 * @param <T> the builder of the backend
 */
class MeasuredBuilder<R, T> {

    private @Nullable R meterRegistry;

    /** For the one subclass. */
    MeasuredBuilder() {}

    /** Sets where the meters go. Default: null, nothing is measured, and Micrometer need not be there. */
    public T meterRegistry(@Nullable R meterRegistry) {
        this.meterRegistry = meterRegistry;
        return self();
    }

    /** Returns where the meters go. */
    protected final @Nullable R meterRegistry() {
        return meterRegistry;
    }

    @SuppressWarnings("unchecked")
    final T self() {
        return (T) this;
    }
}
