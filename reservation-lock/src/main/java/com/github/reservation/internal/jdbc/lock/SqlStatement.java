// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A statement, and what its parameters are in their order.
 *
 * @param text as it is sent, with question marks
 */
record SqlStatement(String text, List<Parameter> parameters) {

    /** What can be bound; written {@code :key} in a template. */
    enum Parameter {
        KEY, HOLDER, NEXT, MICROS, NODE, WAITS, GRACE, LIMIT
    }

    private static final Pattern PARAMETER = Pattern.compile(":([a-z]+)");

    static SqlStatement of(String template) {
        List<Parameter> parameters = PARAMETER.matcher(template)
                .results()
                .map(SqlStatement::parameter)
                .toList();
        return new SqlStatement(PARAMETER.matcher(template).replaceAll("?"), parameters);
    }

    private static Parameter parameter(MatchResult found) {
        return Parameter.valueOf(found.group(1).toUpperCase(Locale.ROOT));
    }

    void bind(PreparedStatement statement, Values values) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            int index = i + 1;
            switch (parameters.get(i)) {
                case KEY -> statement.setString(index, values.key());
                case HOLDER -> statement.setString(index, values.holder());
                case NEXT -> statement.setString(index, values.next());
                case MICROS -> statement.setLong(index, values.micros());
                case NODE -> statement.setString(index, WaitersColumn.place(values.node()));
                case WAITS -> statement.setBoolean(index, values.waits());
                case GRACE -> statement.setLong(index, values.grace());
                case LIMIT -> statement.setInt(index, values.limit());
            }
        }
    }

    /**
     * What to bind; a statement takes what it needs.
     *
     * @param next who holds the key after the holder, if it is passed on
     * @param micros a duration: how long a lease is to be, or how long ago something was
     * @param node who asks, or gives back
     * @param grace how long a free key is kept for the first in line
     */
    record Values(
            String key, String holder, String next, long micros, String node, boolean waits, long grace, int limit) {

        static Values of(String key) {
            return of(key, "", 0);
        }

        static Values of(String key, String holder, long micros) {
            return new Values(key, holder, "", micros, "", false, 0, 0);
        }

        Values withNext(String nextHolder) {
            return new Values(key, holder, nextHolder, micros, node, waits, grace, limit);
        }

        Values withNode(String newNode, boolean doesWait) {
            return new Values(key, holder, next, micros, newNode, doesWait, grace, limit);
        }

        Values withGrace(long newGrace) {
            return new Values(key, holder, next, micros, node, waits, newGrace, limit);
        }

        Values withLimit(int newLimit) {
            return new Values(key, holder, next, micros, node, waits, grace, newLimit);
        }
    }
}
