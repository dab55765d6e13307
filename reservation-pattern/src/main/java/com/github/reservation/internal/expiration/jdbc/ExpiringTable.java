// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.internal.sql.TableName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A table whose rows expire, which a builder has validated.
 *
 * @param keys the columns of the primary key
 * @param status the column of the status
 * @param from the status that can expire
 * @param to the status of expired rows
 * @param expiresAt the column with the end of a row
 * @param version a column that each transition increments
 * @param condition what else must hold for a row to expire, as SQL
 * @param columns what a reader reads beside the keys and the end; empty for all columns
 * @param queryTimeout how long one statement may take
 */
public record ExpiringTable(
        TableName name,
        List<String> keys,
        String status,
        String from,
        String to,
        String expiresAt,
        Optional<String> version,
        Optional<String> condition,
        List<String> columns,
        Duration queryTimeout) {

    /** The name of the table inside a condition. */
    public static final String ALIAS = "t";

    /** Returns what a reader reads, as SQL. */
    String selected() {
        if (columns.isEmpty()) {
            return ALIAS + ".*";
        }
        return String.join(", ", distinct(keys, List.of(expiresAt), columns));
    }

    /** Returns all columns that the statements name, as SQL; the end of a row is the first. */
    String needed() {
        return String.join(
                ", ", distinct(List.of(expiresAt), keys, List.of(status), version.stream().toList(), columns));
    }

    @SafeVarargs
    private static Iterable<String> distinct(List<String>... lists) {
        Map<String, String> distinct = new LinkedHashMap<>();
        for (List<String> names : lists) {
            names.forEach(name -> distinct.putIfAbsent(name.toLowerCase(Locale.ROOT), name));
        }
        return distinct.values();
    }
}
