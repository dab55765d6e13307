// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Changes values before they are compared, by their types. */
public final class Normalizers {

    private final Map<String, UnaryOperator<String>> byType;

    public Normalizers(Map<String, UnaryOperator<String>> byType) {
        this.byType = Map.copyOf(byType);
    }

    String apply(String type, String value) {
        UnaryOperator<String> normalizer = byType.get(type);
        return normalizer == null
                ? value
                : Objects.requireNonNull(
                        normalizer.apply(value), () -> "The normalizer of type " + type + " returned null");
    }
}
