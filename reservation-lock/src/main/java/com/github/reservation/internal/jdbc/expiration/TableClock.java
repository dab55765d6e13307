// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.expiration;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Locale;

/**
 * How a database compares its clock with a column of a user's table. A column without a zone contains UTC. In a column with a
 * zone, the database knows which time is meant.
 *
 * @param now the current time, in the type of the column
 * @param javaType the type in which a driver passes the column on without a conversion between zones
 */
record TableClock(Dialect dialect, String now, Class<?> javaType) {

    /**
     * Returns the clock for a column.
     *
     * @param type the name of its type, as the driver reports it
     */
    static TableClock of(Dialect dialect, String column, String type) throws StoreException {
        if (dialect.isTimeType(type)) {
            return new TableClock(dialect, plainNow(dialect), LocalDateTime.class);
        }
        String upper = type.toUpperCase(Locale.ROOT);
        if (upper.equals("TIMESTAMPTZ") || (upper.startsWith("TIMESTAMP") && upper.contains("ZONE"))) {
            return new TableClock(dialect, zonedNow(dialect), OffsetDateTime.class);
        }
        if (upper.equals("TIMESTAMP")) {
            // MySQL and MariaDB: stored in UTC, read and compared in the zone of the session.
            return new TableClock(dialect, "CURRENT_TIMESTAMP(6)", LocalDateTime.class);
        }
        throw new StoreException(
                Kind.MISCONFIGURED,
                "Column " + column + " must be a timestamp to expire rows by, but its type is " + type);
    }

    /** PostgreSQL searches an index only for a time that stays the same during a statement. */
    private static String plainNow(Dialect dialect) {
        return dialect.name().equals("postgresql") ? "statement_timestamp() AT TIME ZONE 'UTC'" : dialect.now();
    }

    private static String zonedNow(Dialect dialect) {
        return switch (dialect.name()) {
            case "postgresql" -> "statement_timestamp()";
            case "oracle" -> "SYSTIMESTAMP";
            default -> "CURRENT_TIMESTAMP(6)";
        };
    }

    /** Returns the microseconds from a time of the column's type to now. */
    String microsSince(String time) {
        return isZonedOracle()
                ? dialect.microsBetween("SYS_EXTRACT_UTC(" + time + ")", dialect.now())
                : dialect.microsBetween(time, now);
    }

    private boolean isZonedOracle() {
        return dialect.name().equals("oracle") && javaType == OffsetDateTime.class;
    }
}
