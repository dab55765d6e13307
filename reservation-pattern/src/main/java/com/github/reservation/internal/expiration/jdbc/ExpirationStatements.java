// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * All statements on one table whose rows expire, for one database. The files in {@code docs/backends/sql} show them for a table
 * of orders; {@code ExpirationSqlFilesTest} keeps them up to date.
 */
final class ExpirationStatements {

    /** Reads no row, but fails if the table lacks a column or the condition is wrong. The first column is the end of a row. */
    static SqlStatement check(ExpiringTable table) {
        return templates(table, Map.of(
                "needed", table.needed(),
                "table", table.name().name(),
                "and condition", condition(table)))
                .statement(
                        "check the columns and the condition, once",
                        "SELECT {needed} FROM {table} " + ExpiringTable.ALIAS + " WHERE 1 = 0{and condition}");
    }

    /** Reads the keys of the oldest overdue rows. No row: none is overdue. */
    final SqlStatement findFirst;

    /** Reads the keys of the overdue rows after one. No row: there are no more. */
    final SqlStatement findNext;

    /** Reads rows that are still overdue. A row is missing: it is not overdue any more. */
    final SqlList read;

    /** Locks such rows. A row is missing: it is not overdue any more, or another transaction has it. */
    final SqlList lock;

    /** Changes the status of locked rows. More rows than keys: the key columns are not the key. */
    final SqlList transition;

    /** Marks the transaction. */
    final Optional<SqlStatement> mark;

    /** Fails if the transaction is not the one that was marked. */
    final Optional<SqlStatement> checkMark;

    /** Reads for how long the oldest overdue row has been overdue. {@code NULL}: none is. */
    final SqlStatement lag;

    /** What made the statements, in the order in which a run needs them. */
    final SqlTemplates templates;

    ExpirationStatements(TableClock clock, ExpiringTable table) {
        Dialect dialect = clock.dialect();
        this.templates = templates(table, Map.ofEntries(
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
                Map.entry("from nowhere", dialect.fromNowhere()),
                Map.entry("in keys", KeyColumns.in(table.keys()))));
        this.findFirst = find("find the first overdue rows", dialect, "");
        this.findNext = find(
                "find the next overdue rows",
                dialect,
                "\n  AND {end} >= :due\n  AND ({end} > :due OR " + KeyColumns.after(table.keys()) + ")");
        this.lock = select(
                "lock rows that are still overdue, with a list of 1, 10, 100 or 500 keys",
                table,
                "\nFOR UPDATE SKIP LOCKED");
        this.transition = list("change their status, with a list of as many keys", table, """
                UPDATE {table}
                SET {status} = {to}{next version}
                WHERE {in keys}
                  AND {status} = {from}
                """, Map.of());
        this.mark = dialect.transactionMark()
                .map(how -> templates.statement("mark the transaction, before your work", how.set()));
        this.checkMark = dialect.transactionMark()
                .map(how -> templates.statement("check that it is the same transaction, after your work", how.check()));
        this.read = select("read overdue rows without locks, with a list of as many keys", table, "");
        this.lag = templates.statement("find out how long the oldest row has been overdue", """
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
        Set<String> parameters = new TreeSet<>(Set.of("due", "limit"));
        parameters.addAll(KeyColumns.parameters(table.keys()));
        return new SqlTemplates(fragments, parameters);
    }

    private static String condition(ExpiringTable table) {
        return table.condition().map(condition -> "\n  AND (" + condition + ")").orElse("");
    }

    private SqlStatement find(String purpose, Dialect dialect, String after) {
        return templates.statement(purpose, dialect.firstRows("""
                SELECT {keys}, {end} AS due
                FROM {table} {alias}
                WHERE {overdue}{after}
                ORDER BY {end}, {keys}
                """, ":limit"), Map.of("after", after));
    }

    /** The time comes from a query of its own, so that the database does not compute it for each row. */
    private SqlList select(String purpose, ExpiringTable table, String locking) {
        return list(purpose, table, """
                SELECT (SELECT {now micros}{from nowhere}) AS now_micros, {selected}
                FROM {table} {alias}
                WHERE {in keys}
                  AND {overdue}
                ORDER BY {keys}{locking}
                """, Map.of("locking", locking));
    }

    private SqlList list(String purpose, ExpiringTable table, String template, Map<String, String> own) {
        return templates.list(
                purpose,
                template,
                own,
                SqlList.SIZES,
                KeyColumns.element(table.keys()),
                ", ");
    }
}
