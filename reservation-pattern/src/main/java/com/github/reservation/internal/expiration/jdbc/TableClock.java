// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Locale;

/**
 * How a database compares its clock with a column of a user's table. A column without a zone contains UTC. In a column with a
 * zone, the database knows which time is meant.
 *
 * @param zoned whether the column has a zone
 * @param javaType the type in which a driver passes the column on without a conversion between zones
 */
record TableClock(Dialect dialect, boolean zoned, Class<?> javaType) {

    /**
     * Returns the clock for a column.
     *
     * @param type the name of its type, as the driver reports it
     */
    static TableClock of(Dialect dialect, String column, String type) throws StoreException {
        if (dialect.isTimeType(type)) {
            return new TableClock(dialect, false, LocalDateTime.class);
        }
        String upper = type.toUpperCase(Locale.ROOT);
        if (upper.equals("TIMESTAMPTZ") || (upper.startsWith("TIMESTAMP") && upper.contains("ZONE"))) {
            return new TableClock(dialect, true, OffsetDateTime.class);
        }
        if (upper.equals("TIMESTAMP")) {
            // MySQL and MariaDB: stored in UTC, read and compared in the zone of the session.
            return new TableClock(dialect, true, LocalDateTime.class);
        }
        throw new StoreException(
                Kind.MISCONFIGURED,
                "Column " + column + " must be a timestamp to expire rows by, but its type is " + type);
    }

    /** Returns the current time, in the type of the column. */
    String now() {
        return zoned ? dialect.zonedStartOfStatement() : dialect.startOfStatement();
    }

    /** Returns the microseconds from a time of the column's type to now. */
    String microsSince(String time) {
        return zoned ? dialect.microsSinceZoned(time) : dialect.microsBetween(time, now());
    }
}
