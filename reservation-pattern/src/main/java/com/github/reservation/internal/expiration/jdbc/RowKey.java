// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The values of the key columns of a row, as the driver returns them. A value may be an array of bytes. */
public final class RowKey {

    private final Object[] values;

    public RowKey(List<Object> values) {
        this.values = values.toArray();
    }

    public List<Object> values() {
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RowKey key && Arrays.deepEquals(values, key.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }

    /** Returns the values with commas between them. */
    @Override
    public String toString() {
        return Arrays.stream(values)
                .map(value -> value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value))
                .collect(Collectors.joining(", "));
    }
}
