// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/** The rows that are purged together. Data sources are compared by identity, not by their own {@code equals}. */
public record PurgeScope(DataSource dataSource, TableName table, Optional<Duration> after) {

    /** Returns the option {@code purgeAfter} of a builder, if it is valid; empty for zero, which keeps all rows. */
    public static Optional<Duration> requireAfter(Duration purgeAfter, Duration shortest) {
        Objects.requireNonNull(purgeAfter, "purgeAfter must not be null");
        if (!purgeAfter.isZero() && purgeAfter.compareTo(shortest) < 0) {
            throw new IllegalArgumentException(
                    "purgeAfter must be zero or at least " + shortest + ", but is " + purgeAfter);
        }
        return Optional.of(purgeAfter).filter(Duration::isPositive);
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(Object other) {
        return other instanceof PurgeScope scope
                && scope.dataSource == dataSource
                && scope.table.equals(table)
                && scope.after.equals(after);
    }

    @Override
    public int hashCode() {
        return Objects.hash(System.identityHashCode(dataSource), table, after);
    }

    @Override
    public String toString() {
        return "table " + table;
    }
}
