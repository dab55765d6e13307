// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.internal.claim.Normalizers;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the options that claims on all stores share. {@code R} stands for the meter registry, whose class may be missing from the class
 * path: it is erased to {@code Object}.
 *
 * @param <R> the registry
 * @param <T> the builder
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public class ClaimsBuilder<R, T> {

    private final Map<String, UnaryOperator<String>> normalizers = new HashMap<>();
    private @Nullable R meterRegistry;

    /** Package-private: the two builders of this package are the only subclasses. */
    ClaimsBuilder() {}

    /**
     * Sets how values of a type are changed before they are compared, stored or looked for, for example
     * {@code normalize("email", value -> value.strip().toLowerCase(Locale.ROOT))}. Default: values stay as they are. All nodes must
     * change them in the same way, for good: a claim of a value that was changed in another way is another claim.
     *
     * @param normalizer must return the same for what it has returned
     */
    public T normalize(String type, UnaryOperator<String> normalizer) {
        normalizers.put(
                Objects.requireNonNull(type, "type must not be null"),
                Objects.requireNonNull(normalizer, "normalizer must not be null"));
        return self();
    }

    /** Sets the registry for the meters. Default: null, which means no metrics; Micrometer is not needed then. */
    public T meterRegistry(@Nullable R meterRegistry) {
        this.meterRegistry = meterRegistry;
        return self();
    }

    final @Nullable R meterRegistry() {
        return meterRegistry;
    }

    final Normalizers normalizers() {
        return new Normalizers(normalizers);
    }

    @SuppressWarnings("unchecked")
    final T self() {
        return (T) this;
    }
}
