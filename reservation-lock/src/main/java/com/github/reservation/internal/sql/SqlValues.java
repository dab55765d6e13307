// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Converts between Java values and what statements take and return: a duration is a number of microseconds. */
public final class SqlValues {

    /** Longer than any lease, and short enough for all databases: Oracle's intervals end at 2^31 seconds. */
    private static final Duration LONGEST = Duration.ofDays(20_000);

    private SqlValues() {}

    /** Returns a number; empty for {@code NULL}. */
    public static OptionalLong number(ResultSet row, String column) throws SQLException {
        return number(row, row.findColumn(column));
    }

    /** Returns the number in a column, which is counted from 1; empty for {@code NULL}. */
    public static OptionalLong number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** Returns a duration, never less than zero. */
    public static Duration duration(ResultSet row, String column) throws SQLException {
        return Duration.of(Math.max(0, row.getLong(column)), ChronoUnit.MICROS);
    }

    public static long micros(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration.compareTo(LONGEST) < 0 ? duration : LONGEST);
    }
}
