// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The functions of Oracle that our statements call and H2 does not have, not even in its Oracle mode. There are four, and
 * H2 calls them by these methods.
 */
public final class OracleFunctions {

    private static final Pattern CODE_POINT = Pattern.compile("\\\\([0-9A-F]{4})");

    private OracleFunctions() {}

    /** Puts the functions into a database of H2. */
    static void install(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String name : List.of("SYS_EXTRACT_UTC", "NUMTODSINTERVAL", "NLSSORT", "UNISTR")) {
                statement.execute("CREATE ALIAS IF NOT EXISTS " + name + " FOR '" + OracleFunctions.class.getName()
                        + "." + name + "'");
            }
        }
    }

    /** Returns a time in UTC, without its zone. */
    public static LocalDateTime SYS_EXTRACT_UTC(OffsetDateTime time) {
        return time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }

    /** Returns an interval; of the units only the one that we use. */
    public static Duration NUMTODSINTERVAL(BigDecimal number, String unit) {
        if (!unit.equals("SECOND")) {
            throw new IllegalArgumentException(unit);
        }
        return Duration.ofNanos(number.movePointRight(9).longValueExact());
    }

    /** Returns the bytes of a text; of the ways to sort only the one that we use. */
    public static byte[] NLSSORT(String text, String parameter) {
        if (!parameter.equals("NLS_SORT = BINARY")) {
            throw new IllegalArgumentException(parameter);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a text that was written in code points. */
    public static String UNISTR(String text) {
        return CODE_POINT.matcher(text)
                .replaceAll(match -> Character.toString(Integer.parseInt(match.group(1), 16)));
    }
}
