// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.regex.Pattern;
import org.h2.util.DateTimeUtils;
import org.h2.value.Value;
import org.h2.value.ValueTimestampTimeZone;
import org.h2.value.ValueVarchar;

/**
 * The functions of Oracle that our statements call and H2 does not have, not even in its Oracle mode. There are four, and
 * H2 calls them by these methods, with its own values: to turn those into Java's would take longer than the functions do.
 */
public final class OracleFunctions {

    private static final Pattern CODE_POINT = Pattern.compile("\\\\([0-9A-F]{4})");

    private OracleFunctions() {}

    /** Puts the functions into a database of H2. */
    public static void install(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String name : List.of("SYS_EXTRACT_UTC", "NUMTODSINTERVAL", "NLSSORT", "UNISTR")) {
                statement.execute("CREATE ALIAS IF NOT EXISTS " + name + " FOR '" + OracleFunctions.class.getName()
                        + "." + name + "'");
            }
        }
    }

    /** Returns a time in UTC, without its zone. */
    public static LocalDateTime SYS_EXTRACT_UTC(Value time) {
        ValueTimestampTimeZone zoned = (ValueTimestampTimeZone) time;
        return LocalDate.ofEpochDay(DateTimeUtils.absoluteDayFromDateValue(zoned.getDateValue()))
                .atStartOfDay()
                .plusNanos(zoned.getTimeNanos())
                .minusSeconds(zoned.getTimeZoneOffsetSeconds());
    }

    /** Returns an interval; of the units only the one that we use. */
    public static Duration NUMTODSINTERVAL(Value number, Value unit) {
        requireEqual("SECOND", unit);
        return Duration.ofNanos(number.getBigDecimal().movePointRight(9).longValueExact());
    }

    /**
     * Returns what to compare instead of a text; of the ways to sort only the one that we use. A plain text of H2 is
     * compared letter by letter, in a database without a collation.
     */
    public static Value NLSSORT(Value text, Value parameter) {
        requireEqual("NLS_SORT = BINARY", parameter);
        return text.getValueType() == Value.VARCHAR ? text : ValueVarchar.get(text.getString());
    }

    private static void requireEqual(String known, Value value) {
        if (!value.getString().equals(known)) {
            throw new IllegalArgumentException(value.getString());
        }
    }

    /** Returns a text that was written in code points. */
    public static String UNISTR(String text) {
        return CODE_POINT.matcher(text)
                .replaceAll(match -> Character.toString(Integer.parseInt(match.group(1), 16)));
    }
}
