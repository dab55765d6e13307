// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.MeasuredBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Holds the options that claims on all stores share.
 *
 * @param <T> the builder
 */
public class ClaimsBuilder<T> extends MeasuredBuilder<T> {

    private final Map<String, UnaryOperator<String>> normalizers = new HashMap<>();

    /** Package-private: the builders of this package are the only subclasses. */
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

    final Map<String, UnaryOperator<String>> normalizers() {
        return Map.copyOf(normalizers);
    }
}
