// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Reads what statements return, and writes what they take: durations are microseconds, and fences may be missing. */
final class SqlValues {

    /** Longer than anybody waits, and short enough for all databases: Oracle's intervals end at 2^31 seconds. */
    private static final Duration LONGEST = Duration.ofDays(20_000);

    private SqlValues() {}

    static OptionalLong fence(ResultSet row) throws SQLException {
        long fence = row.getLong("fence");
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(fence);
    }

    static OptionalLong generatedFence(PreparedStatement statement) throws SQLException {
        try (ResultSet keys = statement.getGeneratedKeys()) {
            return keys.next() ? OptionalLong.of(keys.getLong(1)) : OptionalLong.empty();
        }
    }

    /** Returns a duration, never less than zero. */
    static Duration duration(ResultSet row, String column) throws SQLException {
        return Duration.of(Math.max(0, row.getLong(column)), ChronoUnit.MICROS);
    }

    static long micros(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration.compareTo(LONGEST) < 0 ? duration : LONGEST);
    }
}
