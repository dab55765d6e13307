// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.util.Objects;
import java.util.regex.Pattern;

/** Checks arguments, and names the argument, the rule and the value if one is broken. */
public final class Limits {

    private Limits() {}

    /**
     * Returns the value.
     *
     * @throws IllegalArgumentException if it is less than the least or more than the most
     */
    public static <T extends Comparable<T>> T between(String name, T value, T least, T most) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + ", but is " + value);
        }
        return value;
    }

    /**
     * Returns the value.
     *
     * @param rule what the pattern says, after "must"
     * @throws IllegalArgumentException if it does not match the pattern
     */
    public static String matching(String name, String value, Pattern pattern, String rule) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(name + " must " + rule + ", but is \"" + value + '"');
        }
        return value;
    }
}
