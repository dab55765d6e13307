// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/** The rows that are purged together. Data sources are compared by identity, not by their own {@code equals}. */
public record PurgeScope(DataSource dataSource, TableName table, Optional<Duration> after) {

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
