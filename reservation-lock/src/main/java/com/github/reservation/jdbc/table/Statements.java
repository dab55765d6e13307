// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The full text of every statement, for one database and one table. With {@code fenced} the table has the fence column;
 * without, it has the four columns that a lock cannot do without.
 */
public final class Statements {

    private final Dialect dialect;
    private final TableName table;
    private final boolean fenced;

    /** Takes a key that has a row, if it is free. No row: it is held, or has none. */
    final String update;

    /** Takes the key if it is free or new; where there is no upsert, only if it is new. */
    final String acquire;

    /** Lets a lease that still exists run longer, never shorter. No row: it is lost. */
    final String renew;

    /** Ends a lease that still exists; the row stays, so that its fence goes on. No row: it was lost before. */
    final String release;

    /** Does the same in a batch, where a result is not wanted. */
    final String releaseMany;

    /** Ends the lease of a key whoever holds it. No row: there was none. */
    final String forceRelease;

    /** Reads the lease of a key. No row: there is none. */
    final String find;

    /** Reads the leases of all keys that are like a pattern. */
    final String list;

    /** Finds keys that nobody has wanted for a long time. */
    final String findDead;

    /** Forgets such a key, unless somebody wanted it after all. */
    final String purge;

    /** Counts what it takes for equal to {@code a} and is not: zero if keys and holders are compared byte by byte. */
    final String checkColumns;

    Statements(Dialect dialect, TableName table, boolean fenced, boolean durableRelease) {
        this.dialect = dialect;
        this.table = table;
        this.fenced = fenced;
        this.acquire = switch (dialect.upsert()) {
            case ON_CONFLICT -> onConflict();
            case ON_DUPLICATE_KEY -> onDuplicateKey();
            case MERGE -> merge();
            case NONE -> insert();
        };
        this.update = update();
        this.renew = fill("""
                UPDATE {table}
                SET expires_at = GREATEST(expires_at, {end})
                WHERE reservation_key = ?
                  AND holder = ?
                  AND expires_at > {now}{same key}{same holder}
                """);
        this.releaseMany = fill("""
                UPDATE {table}
                SET expires_at = {epoch}
                WHERE reservation_key = ?
                  AND holder = ?
                  AND expires_at > {now}{same key}{same holder}
                """);
        this.release = durableRelease
                ? releaseMany
                : dialect.relaxedCommit()
                        .map(clause -> releaseMany + "\nRETURNING " + clause)
                        .orElse(releaseMany);
        this.forceRelease = fill("""
                UPDATE {table}
                SET expires_at = {epoch}
                WHERE reservation_key = ?
                  AND expires_at > {now}{same key}
                """);
        this.find = select("reservation_key = ?");
        this.list = select(dialect.keyToSearch() + " LIKE ? ESCAPE '!'");
        this.findDead = fill("""
                SELECT reservation_key
                FROM {table}
                WHERE expires_at <= {now}
                  AND acquired_at <= {longAgo}
                {limit}
                """);
        this.purge = fill("""
                DELETE FROM {table}
                WHERE reservation_key = ?
                  AND expires_at <= {now}
                  AND acquired_at <= {longAgo}
                """);
        this.checkColumns = fill("""
                SELECT COUNT(*)
                FROM (
                    SELECT reservation_key, holder FROM {table} WHERE 1 = 0
                    UNION ALL
                    SELECT 'a', 'a'{from nowhere}
                ) probe
                WHERE {bytes key} IN ({bytes A}, {bytes a})
                   OR {bytes key} = {bytes ?}
                   OR {bytes holder} IN ({bytes A}, {bytes a})
                   OR {bytes holder} = {bytes ?}{or loses}
                """.replace("{from nowhere}", dialect.fromNowhere())
                .replace("{bytes key}", dialect.bytesOf("reservation_key"))
                .replace("{bytes holder}", dialect.bytesOf("holder"))
                .replace("{bytes A}", dialect.bytesOf("'A'"))
                .replace("{bytes a}", dialect.bytesOf("'a '"))
                .replace("{bytes ?}", dialect.bytesOf("?"))
                .replace("{or loses}", dialect.losesCharacters().map(loses -> "\n   OR " + loses).orElse("")));
    }

    boolean fenced() {
        return fenced;
    }

    /** Returns all statements with what they are for, in the order in which a lock meets them. */
    public Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("check the columns, once", checkColumns);
        all.put("acquire a key that is known to have a row", update);
        all.put("acquire any other key", acquire);
        all.put("renew", renew);
        all.put("release", release);
        if (!release.equals(releaseMany)) {
            all.put("release, several in one batch", releaseMany);
        }
        all.put("force release", forceRelease);
        all.put("find", find);
        all.put("list", list);
        all.put("find what can be purged", findDead);
        all.put("purge", purge);
        return all;
    }

    private String onConflict() {
        return fill("""
                INSERT INTO {table} AS lease (reservation_key, holder, acquired_at, expires_at{, fence})
                VALUES (?, ?, {now}, {end}{, micros})
                ON CONFLICT (reservation_key) DO UPDATE
                SET holder = EXCLUDED.holder,
                    acquired_at = EXCLUDED.acquired_at,
                    expires_at = EXCLUDED.expires_at{, set lease.}
                WHERE lease.expires_at <= EXCLUDED.acquired_at
                RETURNING TRUE AS granted, {fence} AS fence, 0 AS remaining
                """.replace("{, set lease.}", fenced
                ? ",\n    fence = COALESCE(lease.fence + 1, EXCLUDED.fence)"
                : ""));
    }

    private String onDuplicateKey() {
        return fill("""
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at{, fence})
                VALUES (?, ?, {now}, {end}{, micros})
                ON DUPLICATE KEY UPDATE
                    {fence = }holder = IF(expires_at <= {now}, VALUES(holder), holder),
                    acquired_at = IF(expires_at <= {now}, VALUES(acquired_at), acquired_at),
                    expires_at = IF(expires_at <= {now}, VALUES(expires_at), expires_at)
                RETURNING holder = ? AND acquired_at = {now} AS granted, {fence} AS fence, {remaining} AS remaining
                """.replace("{fence = }", fenced
                ? "fence = IF(expires_at <= {now}, COALESCE(fence + 1, VALUES(fence)), fence),\n    "
                : ""));
    }

    private String merge() {
        return fill("""
                MERGE INTO {table} AS lease
                USING (
                    VALUES (CAST(? AS VARCHAR), CAST(? AS VARCHAR), {now}, {end}{, micros})
                ) AS wanted (reservation_key, holder, acquired_at, expires_at{, fence})
                ON lease.reservation_key = wanted.reservation_key
                WHEN MATCHED AND lease.expires_at <= wanted.acquired_at THEN
                UPDATE
                SET holder = wanted.holder,
                    acquired_at = wanted.acquired_at,
                    expires_at = wanted.expires_at{, set}
                WHEN NOT MATCHED THEN
                INSERT (reservation_key, holder, acquired_at, expires_at{, fence})
                VALUES (wanted.reservation_key, wanted.holder, wanted.acquired_at, wanted.expires_at{, wanted})
                """.replace("{, set}", fenced ? ",\n    fence = COALESCE(lease.fence + 1, wanted.fence)" : "")
                .replace("{, wanted}", fenced ? ", wanted.fence" : ""));
    }

    private String update() {
        return fill("""
                UPDATE {table}
                SET {fence = }holder = ?,
                    acquired_at = {now},
                    expires_at = {end}
                WHERE reservation_key = ?
                  AND expires_at <= {now}{same key}
                """.replace(
                "{fence = }",
                fenced ? "fence = " + dialect.asGeneratedKey("COALESCE(fence + 1, {micros})") + ",\n    " : ""))
                + (dialect.hasReturning() ? "\n" + fill("RETURNING {fence} AS fence") : "");
    }

    private String insert() {
        return fill("""
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at{, fence})
                VALUES (?, ?, {now}, {end}{, first})
                """.replace("{, first}", fenced ? ", " + dialect.asGeneratedKey("{micros}") : ""));
    }

    private String select(String condition) {
        return fill("""
                SELECT reservation_key, holder, {since} AS since, {remaining} AS remaining, {fence} AS fence
                FROM {table}
                WHERE\s""" + condition + """

                  AND expires_at > {now}
                """);
    }

    /** Compares the column once more where {@code =} does not tell all that is different: see {@code bindAgain}. */
    private String sameBytes(String column) {
        return dialect.comparesByLanguage()
                ? "\n  AND " + dialect.bytesOf(column) + " = " + dialect.bytesOf("?")
                : "";
    }

    private String fill(String template) {
        String micros = dialect.microsBetween(dialect.epoch(), dialect.now());
        return template.strip()
                .replace("{table}", table.name())
                .replace("{same key}", sameBytes("reservation_key"))
                .replace("{same holder}", sameBytes("holder"))
                .replace("{limit}", dialect.atMostRows())
                .replace("{, fence}", fenced ? ", fence" : "")
                .replace("{, micros}", fenced ? ", " + micros : "")
                .replace("{micros}", micros)
                .replace("{fence}", fenced ? "fence" : "NULL")
                .replace("{remaining}", dialect.microsBetween(dialect.now(), "expires_at"))
                .replace("{since}", dialect.microsBetween(dialect.epoch(), "acquired_at"))
                .replace("{now}", dialect.now())
                .replace("{end}", dialect.nowPlusMicros())
                .replace("{longAgo}", dialect.nowMinusMicros())
                .replace("{epoch}", dialect.epoch());
    }
}
