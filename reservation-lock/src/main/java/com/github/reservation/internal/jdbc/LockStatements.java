// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.internal.sql.TableName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * All statements on one lock table, for one database. The files in {@code docs/backends/sql} have their full text;
 * {@code SqlFilesTest} keeps them up to date.
 */
final class LockStatements {

    final AcquireStatements acquiring;

    final ReleaseStatements releasing;

    /** Lets a lease that still runs end later, never earlier. 0 rows: the lease is lost. Fails if its row is locked for long. */
    final SqlStatement renew;

    /** The statements on a table that has the first four columns alone. */
    final FourColumnStatements fourColumns;

    /** The statements on many leases; empty if the database has none. */
    final Optional<SeveralStatements> several;

    /** The statements that renew lists of leases; empty if the database needs none. */
    final Optional<RenewalLists> renewalLists;

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

    LockStatements(Dialect dialect, TableName table, boolean durableRelease, boolean notifies) {
        SqlTemplates templates = LockFragments.of(dialect, table);
        this.acquiring = new AcquireStatements(dialect, templates);
        this.releasing = new ReleaseStatements(dialect, templates, durableRelease, notifies);
        this.renew = templates.statement("""
                UPDATE {table}
                SET expires_at = GREATEST(expires_at, {lease end})
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{same key}{same holder}{wait briefly}
                """);
        this.several = SeveralStatements.of(dialect, templates, releasing.clauses(durableRelease, notifies));
        this.renewalLists = RenewalLists.of(dialect, templates);
        this.fourColumns = new FourColumnStatements(dialect, templates);
        this.find = find(dialect, templates, "fence");
        this.list = list(dialect, templates, "fence");
        this.findDead = templates.statement("""
                SELECT reservation_key
                FROM {table}
                WHERE expires_at <= {now}
                  AND acquired_at <= {long ago}
                {limit}
                """);
        this.purge = templates.statement("""
                DELETE FROM {table}
                WHERE reservation_key = :key
                  AND expires_at <= {now}
                  AND acquired_at <= {long ago}
                """);
        this.checkKeys = templates.statement("""
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
        this.checkColumns = templates.statement("SELECT * FROM {table} WHERE 1 = 0");
        templates.requireAllUsed();
    }

    static SqlStatement find(Dialect dialect, SqlTemplates templates, String fence) {
        return select(dialect, templates, fence, "reservation_key = :key");
    }

    static SqlStatement list(Dialect dialect, SqlTemplates templates, String fence) {
        return select(
                dialect, templates, fence, dialect.searchable("reservation_key") + " LIKE :key ESCAPE '!'");
    }

    private static SqlStatement select(Dialect dialect, SqlTemplates templates, String fence, String condition) {
        return templates.statement("""
                SELECT reservation_key, holder, {since} AS since, {remaining} AS remaining, {fence}
                FROM {table}
                WHERE {condition}
                  AND expires_at > {now}
                """, Map.of(
                "since", dialect.microsBetween(dialect.epoch(), "acquired_at"),
                "fence", fence,
                "condition", condition));
    }

    /** Returns the text of each statement by its purpose, in the order in which a lock needs them. */
    Map<String, String> all() {
        Map<String, SqlStatement> all = new LinkedHashMap<>();
        all.put("check how keys are compared, once", checkKeys);
        all.put("check which columns there are, and how times are kept, once", checkColumns);
        acquiring.addTo(all);
        all.put("renew", renew);
        renewalLists.ifPresent(statements -> statements.addTo(all));
        releasing.addTo(all);
        several.ifPresent(statements -> statements.addTo(all));
        all.put("find", find);
        all.put("list", list);
        all.put("find what can be purged", findDead);
        all.put("purge", purge);
        fourColumns.addTo(all);
        Map<String, String> texts = new LinkedHashMap<>();
        all.forEach((purpose, statement) -> texts.put(purpose, statement.text()));
        return texts;
    }
}
