// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.Claim;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialect.Returning;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.internal.sql.TableName;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * All statements on one table of claims, for one database: either for transactions of their own, or for a caller's. The files in
 * {@code docs/backends/sql} have their full text.
 *
 * <p>A row is found by its id, which is a digest of the key. Ids and tokens are plain hex digits: no collation takes two of them for
 * one. A search by entity may find too much, and the caller compares again.
 */
final class ClaimStatements {

    /** Both sets: a call uses one of them. */
    record Sets(ClaimStatements own, ClaimStatements callers) {

        static Sets of(Dialect dialect, TableName table) {
            return new Sets(new ClaimStatements(dialect, table, false), new ClaimStatements(dialect, table, true));
        }
    }

    private static final Set<String> PARAMETERS =
            Set.of("id", "key", "type", "value", "correlation", "token", "entity", "micros", "version", "limit");

    private static final String INSERT_INTO = """
            INSERT INTO {table} (
                reservation_id, claim_key, claim_type, claim_value, status, expires_at, correlation_id, token, version,
                created_at, updated_at)""";

    private static final String NEW_ROW = """
            :id, :key, :type, :value, 'reserved', {end}, :correlation, :token, {first version},
                {now}, {now}""";

    /** What there is to know about the owner of a value. */
    private static final String OWNER = """
            status,
                {expires} AS expires,
                {remaining} AS remaining,
                correlation_id, token, version""";

    private static final String LOOK_OR_INSERT = """
            WITH there AS (
            SELECT status, expires_at, correlation_id, token, version
            FROM {table}
            WHERE reservation_id = :id
            ), put AS (
            {insert into}
            SELECT
                {row}
            WHERE NOT EXISTS (SELECT FROM there)
            ON CONFLICT DO NOTHING
            RETURNING status, expires_at, correlation_id, token, version
            )
            SELECT {owner}
            FROM there
            UNION ALL
            SELECT {owner}
            FROM put
            """;

    private static final String FREE = """
            (status IN ('released', 'expired') OR (status = 'reserved' AND expires_at <= {now}))""";

    private static final String MARK = """
            UPDATE {table}
            SET status = 'expired',
                updated_at = {now},
                version = version + 1
            """;

    private static final String OVER = "FROM {table}\nWHERE status = 'reserved'\n  AND expires_at <= {start}";

    private static final String DEAD = """
            status IN ('reserved', 'released', 'expired')
              AND expires_at <= {long ago}
              AND updated_at <= {long ago}
            """;

    /** Not {@code status = 'reserved'}: PostgreSQL would use the index of status on a new table, and read all reserved claims. */
    private static final String ACTIVE = "CASE status WHEN 'reserved' THEN expires_at END > {now}";

    /** Whether these are for a caller's transaction. */
    final boolean callers;

    final Returning returning;

    /**
     * Inserts the row of a new value. Returns the owner as a row, or the end of the claim in the way of {@link #returning}. A row of
     * another token, no row, or a duplicate key: the value has a row.
     */
    final ClaimUpdate insert;

    /** Gives a free value to its next owner, if the row has the version that was read. 0 rows: another call was faster. */
    final ClaimUpdate take;

    /** Confirm an active claim: of the token, or any. 0 rows: there is none. */
    final ClaimUpdate confirm;

    final ClaimUpdate confirmAny;

    /** Release an active claim: of the token, or any. 0 rows: there is none. */
    final ClaimUpdate release;

    final ClaimUpdate releaseAny;

    /** Lets an active claim end later, never earlier. 0 rows: there is none. */
    final ClaimUpdate extend;

    /** Releases a confirmed claim that has the version that was read. 0 rows: another call was faster. */
    final ClaimUpdate releaseConfirmed;

    /** Reads a claim, on which a decision depends: in a caller's transaction it locks the row. No row: there is none. */
    final SqlStatement look;

    /** Reads a claim. */
    final SqlStatement find;

    /** Reads the confirmed claims of an entity. */
    final SqlStatement findByEntity;

    /** Counts the claims of each status. It reads nothing but the index of status and end. */
    final SqlStatement countByStatus;

    /** Reads for how long the oldest claim that is over was not marked. {@code NULL}: there is none. */
    final SqlStatement lag;

    /**
     * Locks claims that are over and were not marked, and returns them. If the database returns what an update changed, it marks them as
     * well. No row: there are none, or other transactions have them.
     */
    final SqlStatement sweep;

    /**
     * Marks such a claim, if the row has the version that was read; empty if {@link #sweep} did. 0 rows: another call was faster, see
     * {@link ClaimSession}.
     */
    final Optional<SqlStatement> expire;

    /** Locks the rows of claims that were released or ended long ago, marked or not. No row: as above. */
    final SqlStatement lockDead;

    /** Deletes such a row, if it has the version that was read. 0 rows: as above. */
    final SqlStatement purge;

    /** Reads no row, but which columns the table has, and their types. */
    final SqlStatement checkColumns;

    private final Dialect dialect;
    /** What made the statements, in the order in which a claim needs them. */
    final SqlTemplates templates;

    ClaimStatements(Dialect dialect, TableName table, boolean callers) {
        this.dialect = dialect;
        this.callers = callers;
        this.returning = dialect.returning(callers);
        this.templates = new SqlTemplates(fragments(dialect, table), PARAMETERS);
        this.checkColumns = templates.statement(
                "check which columns there are, and how times are kept, once", "SELECT * FROM {table} WHERE 1 = 0");
        this.insert = new ClaimUpdate(insert(callers), "EXPIRES_AT", Claim::expiresAt);
        this.look = select(
                "look who has a value, or why a change was refused",
                "reservation_id = :id" + (callers ? "\nFOR UPDATE" : ""));
        this.take = update("reserve a value that is free again", "{end}", "EXPIRES_AT", Claim::expiresAt, """
                status = 'reserved',
                    expires_at = {end},
                    entity_id = NULL,
                    confirmed_at = NULL,
                    released_at = NULL,
                    correlation_id = :correlation,
                    token = :token,
                    created_at = {now}""", "version = :version\n  AND " + FREE);
        this.confirm = confirm("confirm", ofToken(ACTIVE));
        this.confirmAny = confirm("confirm without a token", ACTIVE);
        this.release = release("release", ofToken(ACTIVE));
        this.releaseAny = release("release without a token", ACTIVE);
        String later = "GREATEST(expires_at, {end})";
        this.extend = update("extend", later, "EXPIRES_AT", Claim::expiresAt, "expires_at = " + later, ofToken(ACTIVE));
        this.releaseConfirmed = release(
                "release the confirmed value of an entity", "CASE status WHEN 'confirmed' THEN version END = :version");
        this.find = select("find", "reservation_id = :id");
        this.findByEntity = select("find by entity", "entity_id = :entity\n  AND status = 'confirmed'");
        this.countByStatus = templates.statement("count by status", """
                SELECT status, COUNT(*) AS claims
                FROM (
                    SELECT CASE WHEN status = 'reserved' AND expires_at <= {now} THEN 'expired' ELSE status END AS status
                    FROM {table}
                ) counted
                GROUP BY status
                """);
        this.lag = templates.statement(
                "find out how long the oldest claim has been over",
                "SELECT {lag} AS overdue_micros\nFROM (\nSELECT MIN(expires_at) AS oldest\n" + OVER + "\n) lapsed",
                Map.of("lag", dialect.microsBetween("oldest", dialect.now())));
        this.sweep = sweep();
        // The version alone does not decide: if another node has purged the row, a new claim starts again at the first version.
        this.expire = returning == Returning.ROW
                ? Optional.empty()
                : Optional.of(templates.statement("mark it as expired, in the same transaction", MARK + """
                        WHERE reservation_id = :id
                          AND version = :version
                          AND status = 'reserved'
                          AND expires_at <= {now}
                        """));
        this.lockDead = templates.statement("lock what can be purged", """
                SELECT reservation_id, version
                FROM {table}
                WHERE {dead}{limit}
                {skip locked}
                """);
        this.purge = templates.statement("purge it, in the same transaction", """
                DELETE FROM {table}
                WHERE reservation_id = :id
                  AND version = :version
                  AND {dead}
                """);
        templates.requireAllUsed();
    }

    private ClaimUpdate confirm(String purpose, String condition) {
        return update(purpose, "{now}", "CONFIRMED_AT", claim -> claim.confirmedAt().orElseThrow(), """
                status = 'confirmed',
                    entity_id = :entity,
                    confirmed_at = {now}""", condition);
    }

    private ClaimUpdate release(String purpose, String condition) {
        return update(purpose, "{now}", "RELEASED_AT", claim -> claim.releasedAt().orElseThrow(), """
                status = 'released',
                    released_at = {now}""", condition);
    }

    private static Map<String, String> fragments(Dialect dialect, TableName table) {
        Map<String, String> fragments = new HashMap<>();
        fragments.put("table", table.name());
        fragments.put("now", dialect.now());
        fragments.put("end", dialect.nowPlus(":micros"));
        fragments.put("long ago", dialect.nowMinus(":micros"));
        fragments.put("expires", dialect.microsBetween(dialect.epoch(), "expires_at"));
        fragments.put("remaining", dialect.microsBetween(dialect.now(), "expires_at"));
        fragments.put("confirmed", dialect.microsBetween(dialect.epoch(), "confirmed_at"));
        fragments.put("released", dialect.microsBetween(dialect.epoch(), "released_at"));
        fragments.put("created", dialect.microsBetween(dialect.epoch(), "created_at"));
        fragments.put("updated", dialect.microsBetween(dialect.epoch(), "updated_at"));
        fragments.put("start", dialect.startOfStatement()); // PostgreSQL searches an index only for a time that stays the same.
        fragments.put("dead", DEAD);
        fragments.put("limit", dialect.atMostRows(":limit"));
        fragments.put("skip locked", "FOR UPDATE SKIP LOCKED");
        return fragments;
    }

    /**
     * PostgreSQL reads the owner that is there, or else inserts the row, in one statement: a conflict neither locks nor writes anything. In
     * a caller's transaction that read could be of an old snapshot, so {@link #look} follows there. MySQL takes a lock in a caller's
     * transaction that two can share after a duplicate key, and then deadlocks: an update that changes nothing asks for the exclusive lock
     * at once.
     */
    private SqlStatement insert(boolean callers) {
        Map<String, String> own = new HashMap<>(Map.of(
                "insert into", INSERT_INTO, "row", NEW_ROW, "first version", version("1", "{end}")));
        if (returning == Returning.ROW) {
            own.put("owner", OWNER);
        }
        String purpose = "reserve a new value";
        String values = "{insert into}\nVALUES (\n    {row})";
        return switch (returning) {
            case ROW -> templates.statement(purpose,
                    callers ? values + "\nON CONFLICT DO NOTHING\nRETURNING {owner}" : LOOK_OR_INSERT, own);
            case NOTHING -> templates.statement(purpose, values + "\nON DUPLICATE KEY UPDATE version = version", own);
            case NUMBER, COLUMN -> templates.statement(purpose, values, own);
        };
    }

    /** PostgreSQL might read the whole table for a part of it; the order lets it use the index. */
    private SqlStatement sweep() {
        Map<String, String> own = Map.of(
                "lapsed", "reservation_id, claim_type, claim_key, correlation_id, {expires} AS expires, version",
                "over", OVER);
        return returning == Returning.ROW
                ? templates.statement("mark what is over as expired", MARK + """
                        WHERE reservation_id = ANY (ARRAY(
                        SELECT reservation_id
                        {over}
                        ORDER BY expires_at
                        {limit}
                        {skip locked}))
                        RETURNING {lapsed}
                        """, own)
                : templates.statement("lock what is over", "SELECT {lapsed}\n{over}\n{limit}\n{skip locked}", own);
    }

    private ClaimUpdate update(
            String purpose, String newTime, String column, Function<Claim, Instant> time, String changes,
            String condition) {
        SqlStatement sql = templates.statement(purpose, """
                UPDATE {table}
                SET version = {next version},
                    {changes},
                    updated_at = {now}
                WHERE reservation_id = :id
                  AND {condition}
                {returning}
                """, Map.of(
                "next version", version("version + 1", newTime),
                "changes", changes,
                "condition", condition,
                "returning", returning == Returning.ROW
                        ? "RETURNING " + dialect.microsBetween(dialect.epoch(), column.toLowerCase(Locale.ROOT))
                                + " AS new_time, claim_type"
                        : ""));
        return new ClaimUpdate(sql, column, time);
    }

    /** Returns a version that makes a time the generated key as well, if that is the way to return it. */
    private String version(String version, String newTime) {
        return returning == Returning.NUMBER
                ? version + " + 0 * " + dialect.asGeneratedKey(dialect.microsBetween(dialect.epoch(), newTime))
                : version;
    }

    private static String ofToken(String condition) {
        return "token = :token\n  AND " + condition;
    }

    private SqlStatement select(String purpose, String condition) {
        return templates.statement(purpose, """
                SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
                    {confirmed} AS confirmed,
                    {released} AS released,
                    {created} AS created,
                    {updated} AS updated,
                    {owner}
                FROM {table}
                WHERE {condition}
                """, Map.of("owner", OWNER, "condition", condition));
    }
}
