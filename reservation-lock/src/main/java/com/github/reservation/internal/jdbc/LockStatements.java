// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.internal.sql.TableName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All statements on one lock table, for one database. The files in {@code docs/backends/sql} have their full text;
 * {@code SqlFilesTest} keeps them up to date.
 */
final class LockStatements {

    private static final Set<String> PARAMETERS =
            Set.of("key", "keys", "holder", "holders", "next", "micros", "node", "waits", "grace", "limit");

    final AcquireStatements acquiring;

    final ReleaseStatements releasing;

    /** Lets a lease that still runs end later, never earlier. 0 rows: the lease is lost. Fails if its row is locked for long. */
    final SqlStatement renew;

    /** The statements on many leases; empty if the database has none. */
    final Optional<SeveralStatements> several;

    /** The statements that renew lists of leases; empty if the database needs none. */
    final Optional<RenewalLists> renewalLists;

    /** Ends a lease that still runs. 0 rows: it was lost before. */
    final SqlStatement release;

    /** Reads the lease of a key. No row: the key is free. */
    final SqlStatement find;

    /** Reads the leases whose keys match a pattern. No row: there are none. */
    final SqlStatement list;

    /** Finds keys that are free and were last acquired long ago. No row: there is nothing to purge. */
    final SqlStatement findDead;

    /** Deletes the row of such a key. 0 rows: it was acquired or deleted meanwhile. */
    final SqlStatement purge;

    /** Counts texts that the database considers equal to {@code a} although they are not; 0 if it compares byte by byte. */
    final SqlStatement checkKeys;

    /** Reads no row, but which columns the table has, and their types. */
    final SqlStatement checkColumns;

    /** The statements on a table that has the first four columns alone. */
    final FourColumnStatements fourColumns;

    /** Whether the table has all columns. If not, {@code acquiring} and {@code releasing} do not fit it. */
    final boolean allColumns;

    /** What made the statements, in the order in which a lock needs them. */
    final SqlTemplates templates;

    LockStatements(Dialect dialect, TableName table, boolean durableRelease, boolean notifies) {
        this.templates = new SqlTemplates(fragments(dialect, table), PARAMETERS);
        this.checkKeys = templates.statement("check how keys are compared, once", """
                SELECT COUNT(*)
                FROM (
                    SELECT reservation_key, holder FROM {table} WHERE 1 = 0
                    UNION ALL
                    SELECT 'a', 'a'{from nowhere}
                ) probe
                WHERE {bytes of key} IN ({bytes of A}, {bytes of a and blank})
                   OR {bytes of key} = {bytes of parameter}
                   OR {bytes of holder} IN ({bytes of A}, {bytes of a and blank})
                   OR {bytes of holder} = {bytes of parameter}{or loses characters}
                """, Map.of(
                "from nowhere", dialect.fromNowhere(),
                "bytes of key", dialect.bytesOf("reservation_key"),
                "bytes of holder", dialect.bytesOf("holder"),
                "bytes of A", dialect.bytesOf("'A'"),
                "bytes of a and blank", dialect.bytesOf("'a '"),
                "bytes of parameter", dialect.bytesOf(":key"),
                "or loses characters", dialect.losesCharacters().map(loses -> "\n   OR " + loses).orElse("")));
        this.checkColumns = templates.statement(
                "check which columns there are, and how times are kept, once", "SELECT * FROM {table} WHERE 1 = 0");
        this.acquiring = new AcquireStatements(dialect, templates);
        this.renew = templates.statement("renew", """
                UPDATE {table}
                SET expires_at = GREATEST(expires_at, {lease end})
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{same key}{same holder}{wait briefly}
                """);
        this.renewalLists = RenewalLists.of(dialect, templates);
        this.releasing = new ReleaseStatements(dialect, templates, durableRelease, notifies);
        this.release = releasing.release;
        this.several = SeveralStatements.of(dialect, templates, releasing.clauses(durableRelease, notifies));
        this.find = find("find", dialect, templates, "fence");
        this.list = list("list", dialect, templates, "fence");
        this.findDead = templates.statement("find what can be purged", """
                SELECT reservation_key
                FROM {table}
                WHERE expires_at <= {now}
                  AND acquired_at <= {long ago}
                {limit}
                """);
        this.purge = templates.statement("purge", """
                DELETE FROM {table}
                WHERE reservation_key = :key
                  AND expires_at <= {now}
                  AND acquired_at <= {long ago}
                """);
        this.fourColumns = new FourColumnStatements(dialect, templates);
        this.allColumns = true;
        templates.requireAllUsed();
    }

    private LockStatements(LockStatements all, FourColumnStatements four) {
        this.templates = all.templates;
        this.checkKeys = all.checkKeys;
        this.checkColumns = all.checkColumns;
        this.acquiring = all.acquiring;
        this.renew = all.renew;
        this.renewalLists = Optional.empty();
        this.releasing = all.releasing;
        this.release = four.release;
        this.several = Optional.empty();
        this.find = four.find;
        this.list = four.list;
        this.findDead = all.findDead;
        this.purge = all.purge;
        this.fourColumns = four;
        this.allColumns = false;
    }

    /** Returns those for a table that has the first four columns alone. */
    LockStatements onFourColumns() {
        return new LockStatements(this, fourColumns);
    }

    /** Returns the statement that ends a lease and adds the node to the queue, if there is one: first if it may stay, else at the end. */
    SqlStatement releaseAndQueue(boolean mayStay) {
        if (!allColumns) {
            return release;
        }
        return mayStay ? releasing.releaseBefore : releasing.releaseBehind;
    }

    static SqlStatement find(String purpose, Dialect dialect, SqlTemplates templates, String fence) {
        return select(purpose, dialect, templates, fence, "reservation_key = :key");
    }

    static SqlStatement list(String purpose, Dialect dialect, SqlTemplates templates, String fence) {
        return select(
                purpose, dialect, templates, fence, dialect.searchable("reservation_key") + " LIKE :key ESCAPE '!'");
    }

    private static SqlStatement select(
            String purpose, Dialect dialect, SqlTemplates templates, String fence, String condition) {
        return templates.statement(purpose, """
                SELECT reservation_key, holder, {since} AS since, {remaining} AS remaining, {fence}
                FROM {table}
                WHERE {condition}
                  AND expires_at > {now}
                """, Map.of(
                "since", dialect.microsBetween(dialect.epoch(), "acquired_at"),
                "fence", fence,
                "condition", condition));
    }

    /** The fragments that the statements share. */
    private static Map<String, String> fragments(Dialect dialect, TableName table) {
        Map<String, String> fragments = new HashMap<>(times(dialect));
        fragments.putAll(queue(dialect));
        fragments.put("table", table.name());
        fragments.put("limit", dialect.atMostRows(":limit"));
        fragments.put("next fence", dialect.asGeneratedKey("GREATEST(COALESCE(fence, 0) + 1, {epoch micros})"));
        fragments.put("returning fence", dialect.hasReturning() ? "RETURNING fence" : "");
        fragments.put("same key", sameBytes(dialect, "reservation_key", ":key"));
        fragments.put("same holder", sameBytes(dialect, "holder", ":holder"));
        fragments.put("wait briefly", dialect.lockWait().map(condition -> "\n  AND " + condition).orElse(""));
        return fragments;
    }

    private static Map<String, String> times(Dialect dialect) {
        return Map.of(
                "now", dialect.now(),
                "lease end", dialect.nowPlus(":micros"),
                "grace end", dialect.nowPlus(":grace"),
                "long ago", dialect.nowMinus(":micros"),
                "epoch", dialect.epoch(),
                "epoch micros", dialect.microsBetween(dialect.epoch(), dialect.now()),
                "remaining", dialect.microsBetween(dialect.now(), "expires_at"),
                "reserved", dialect.microsBetween(dialect.now(), "reserved_until"),
                "granted ago",
                "CASE WHEN expires_at > {now} THEN " + dialect.microsBetween("acquired_at", dialect.now())
                        + " ELSE 0 END");
    }

    /** The queue in {@link WaitersColumn}. {@code {row}} can be set to the prefix of the columns of the stored row. */
    private static Map<String, String> queue(Dialect dialect) {
        return Map.of(
                "row", "",
                "capacity", String.valueOf(WaitersColumn.CAPACITY),
                "first", "SUBSTR({row}waiters, 1, " + WaitersColumn.ENTRY_LENGTH + ")",
                "in queue", dialect.contains("{row}waiters", ":node"),
                "queue with node", dialect.concat("COALESCE({row}waiters, '')", ":node"),
                "node before queue", dialect.concat(":node", "COALESCE(REPLACE(waiters, :node, ''), '')"),
                "can join",
                "({row}waiters IS NULL OR (NOT {in queue} AND LENGTH({row}waiters) < {capacity}))",
                "reserve for first",
                "reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE {grace end} END");
    }

    /** Compares a column by its bytes too, if {@code =} can find different texts equal. */
    private static String sameBytes(Dialect dialect, String column, String parameter) {
        return dialect.comparesByLanguage()
                ? "\n  AND " + dialect.bytesOf(column) + " = " + dialect.bytesOf(parameter)
                : "";
    }
}
