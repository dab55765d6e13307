// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All statements on one table whose rows expire, for one database. The files in {@code docs/backends/sql} show them for a table
 * of orders; {@code ExpirationSqlFilesTest} keeps them up to date.
 */
final class ExpirationStatements {

    /** How many keys a list can have. A list is filled up with its last key, so that databases see few different statements. */
    private static final Set<Integer> LIST_SIZES = Set.of(1, 10, 100, 500);

    /** The longest list of keys. Oracle accepts 1,000. */
    static final int LONGEST_LIST = 500;

    /** Reads no row, but fails if the table lacks a column or the condition is wrong. The first column is the end of a row. */
    static SqlStatement check(ExpiringTable table) {
        return templates(table, Map.of(
                "needed", table.needed(),
                "table", table.name().name(),
                "and condition", condition(table)))
                .statement("SELECT {needed} FROM {table} " + ExpiringTable.ALIAS + " WHERE 1 = 0{and condition}");
    }

    /** Reads the keys of the oldest overdue rows. No row: none is overdue. */
    final SqlStatement findFirst;

    /** Reads the keys of the overdue rows after one. No row: there are no more. */
    final SqlStatement findNext;

    /** By the number of keys: reads rows that are still overdue. A row is missing: it is not overdue any more. */
    final NavigableMap<Integer, SqlStatement> read = new TreeMap<>();

    /** By the number of keys: locks such rows. A row is missing: it is not overdue any more, or another transaction has it. */
    final NavigableMap<Integer, SqlStatement> lock = new TreeMap<>();

    /** By the number of keys: changes the status of locked rows. More rows than keys: the key columns are not the key. */
    final NavigableMap<Integer, SqlStatement> transition = new TreeMap<>();

    /** Reads for how long the oldest overdue row has been overdue. {@code NULL}: none is. */
    final SqlStatement lag;

    ExpirationStatements(TableClock clock, ExpiringTable table) {
        Dialect dialect = clock.dialect();
        SqlTemplates templates = templates(table, Map.ofEntries(
                Map.entry("table", table.name().name()),
                Map.entry("alias", ExpiringTable.ALIAS),
                Map.entry("keys", String.join(", ", table.keys())),
                Map.entry("status", table.status()),
                Map.entry("from", "'" + table.from() + "'"),
                Map.entry("to", "'" + table.to() + "'"),
                Map.entry("end", table.expiresAt()),
                Map.entry("now", clock.now()),
                Map.entry("selected", table.selected()),
                Map.entry("and condition", condition(table)),
                Map.entry("overdue", "{status} = {from}\n  AND {end} <= {now}{and condition}"),
                Map.entry("next version", table.version().map(column -> ", " + column + " = " + column + " + 1")
                        .orElse("")),
                Map.entry("now micros", dialect.microsBetween(dialect.epoch(), dialect.now())),
                Map.entry("from nowhere", dialect.fromNowhere())));
        this.findFirst = find(dialect, templates, "");
        this.findNext =
                find(dialect, templates, "\n  AND {end} >= :due\n  AND ({end} > :due OR " + KeyColumns.after(table
                        .keys()) + ")");
        for (int size : new TreeSet<>(LIST_SIZES)) {
            String keys = KeyColumns.in(table.keys(), size);
            read.put(size, select(templates, keys, ""));
            lock.put(size, select(templates, keys, "\nFOR UPDATE SKIP LOCKED"));
            transition.put(size, templates.statement("""
                    UPDATE {table}
                    SET {status} = {to}{next version}
                    WHERE {in keys}
                      AND {status} = {from}
                    """, Map.of("in keys", keys)));
        }
        this.lag = templates.statement("""
                SELECT {lag} AS overdue_micros
                FROM (
                SELECT MIN({end}) AS oldest
                FROM {table} {alias}
                WHERE {overdue}
                ) overdue
                """, Map.of("lag", clock.microsSince("oldest")));
        templates.requireAllUsed();
    }

    private static SqlTemplates templates(ExpiringTable table, Map<String, String> fragments) {
        Set<String> parameters = new TreeSet<>(Set.of("key", "due", "limit"));
        parameters.addAll(KeyColumns.parametersOfAfter(table.keys()));
        return new SqlTemplates(fragments, parameters);
    }

    private static String condition(ExpiringTable table) {
        return table.condition().map(condition -> "\n  AND (" + condition + ")").orElse("");
    }

    private static SqlStatement find(Dialect dialect, SqlTemplates templates, String after) {
        return templates.statement(dialect.firstRows("""
                SELECT {keys}, {end} AS due
                FROM {table} {alias}
                WHERE {overdue}{after}
                ORDER BY {end}, {keys}
                """, ":limit"), Map.of("after", after));
    }

    /** The time comes from a query of its own, so that the database does not compute it for each row. */
    private static SqlStatement select(SqlTemplates templates, String keys, String locking) {
        return templates.statement("""
                SELECT (SELECT {now micros}{from nowhere}) AS now_micros, {selected}
                FROM {table} {alias}
                WHERE {in keys}
                  AND {overdue}
                ORDER BY {keys}{locking}
                """, Map.of("in keys", keys, "locking", locking));
    }

    /** Returns the statement for a list that has room for so many keys. */
    static SqlStatement withKeys(NavigableMap<Integer, SqlStatement> statements, int keys) {
        return Objects.requireNonNull(statements.ceilingEntry(keys)).getValue();
    }

    /** Returns the text of each statement by its purpose, in the order in which a run needs them. */
    Map<String, String> all() {
        Map<String, SqlStatement> all = new LinkedHashMap<>();
        all.put("find the first overdue rows", findFirst);
        all.put("find the next overdue rows", findNext);
        all.put("lock rows that are still overdue, with a list of 1, 10, 100 or 500 keys", withKeys(lock, 1));
        all.put("change their status, with a list of as many keys", withKeys(transition, 1));
        all.put("read overdue rows without locks, with a list of as many keys", withKeys(read, 1));
        all.put("find out how long the oldest row has been overdue", lag);
        Map<String, String> texts = new LinkedHashMap<>();
        all.forEach((purpose, statement) -> texts.put(purpose, statement.text()));
        return texts;
    }
}
