// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The full text of every statement, for one database and one table.
 *
 * <p>A row is free when its lease is over. If nodes wait and the lease was given back, the row is kept for the first of them
 * for a grace; if that one does not come, whoever is granted the key takes it out of the line.
 */
public final class LockStatements {

    /** That the key is free, for the node. */
    private static final String FREE_FOR_NODE = """
            {row.}expires_at <= {at}
              AND ({row.}waiters IS NULL OR {row.}reserved_until IS NULL OR {row.}reserved_until <= {at}
                   OR {first} = :node)""";

    /** Who still waits after the node was granted the key: not the node, nor a first one that let its turn pass. */
    private static final String LEFT_WAITING = """
            CASE WHEN {row.}waiters IS NOT NULL THEN NULLIF(REPLACE(
                CASE WHEN {row.}expires_at = {epoch} AND {first} <> :node THEN {rest} ELSE {row.}waiters END,
                :node, ''), '') END""";

    /** That the node could line up. */
    private static final String CAN_LINE_UP =
            "({row.}waiters IS NULL OR (NOT {contains} AND LENGTH({row.}waiters) < " + WaitersColumn.ROOM + "))";

    private final Dialect dialect;
    private final TableName table;
    private final boolean calls;

    /** Takes the key if it is free or new, and nobody waits for it. Without an upsert: if it has a row that is free. */
    final SqlStatement acquire;

    /** Takes the key if it has a row and is free, and nobody waits for it. */
    final SqlStatement acquireRow;

    /** Takes the key if it is free or new, or lines up; much longer. Without an upsert: the same as {@link #acquire}. */
    final SqlStatement acquireInTurn;

    /** Takes the key if it is new; a duplicate if not. For databases without an upsert. */
    final SqlStatement insert;

    /** Reads what is in the way: the lease, or a node that has waited longer. No row: nothing. */
    final SqlStatement look;

    /** Lines the node up, unless the key is free by now: it would stand there alone, with nobody to keep the key for it. */
    final SqlStatement lineUp;

    /** Lets a lease that still exists run longer, never shorter. No row: it is lost. */
    final SqlStatement renew;

    /** Ends a lease that still exists; the row stays, so that its fence goes on. No row: it was lost before. */
    final SqlStatement release;

    /** Does the same in a batch, where a result is not wanted. */
    final SqlStatement releaseMany;

    /** Ends a lease and lines the node up behind those that wait, if any do. */
    final SqlStatement releaseBehind;

    /** Ends a lease and puts the node before those that wait, if any do. */
    final SqlStatement releaseBefore;

    /** Ends a lease and grants the key to another thread of the node, unless other nodes wait. */
    final SqlStatement pass;

    /** Does the same whoever waits. */
    final SqlStatement passInAnyCase;

    /** Ends the lease of a key whoever holds it. No row: there was none. */
    final SqlStatement forceRelease;

    /** Takes the node out of the line; if it was its turn, it is the next one's. */
    final SqlStatement withdraw;

    /** Reads the lease of a key. No row: there is none. */
    final SqlStatement find;

    /** Reads the leases of all keys that are like a pattern. */
    final SqlStatement list;

    /** Finds keys that nobody has wanted for a long time. */
    final SqlStatement findDead;

    /** Forgets such a key, unless somebody wanted it after all. */
    final SqlStatement purge;

    /** Counts what it takes for equal to {@code a} and is not: zero if keys and holders are compared byte by byte. */
    final SqlStatement checkKeys;

    /** Shows which columns there are, and their types. */
    final SqlStatement checkColumns;

    LockStatements(Dialect dialect, TableName table, boolean durableRelease, boolean calls) {
        this.dialect = dialect;
        this.table = table;
        this.calls = calls;
        this.acquire = switch (dialect.upsert()) {
            case ON_CONFLICT -> onConflict();
            case ON_DUPLICATE_KEY -> onDuplicateKey();
            case NONE -> update();
        };
        this.acquireRow = sql("""
                UPDATE {table}
                SET fence = {next fence},
                    holder = :holder,
                    acquired_at = {now},
                    expires_at = {end}
                WHERE reservation_key = :key
                  AND expires_at <= {now}
                  AND waiters IS NULL{same key}
                """ + returningFence());
        this.acquireInTurn = switch (dialect.upsert()) {
            case ON_CONFLICT -> onConflictInTurn();
            case ON_DUPLICATE_KEY -> onDuplicateKeyInTurn();
            case NONE -> acquire;
        };
        this.insert = insert();
        this.look = sql("""
                SELECT {remaining} AS remaining, {reserved} AS reserved, waiters
                FROM {table}
                WHERE reservation_key = :key{same key}
                """);
        this.lineUp = sql("""
                UPDATE {table}
                SET waiters = {lined up}
                WHERE reservation_key = :key
                  AND (expires_at > {now} OR waiters IS NOT NULL)
                  AND {can line up}{same key}
                """);
        this.renew = sql("""
                UPDATE {table}
                SET expires_at = GREATEST(expires_at, {end})
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{same key}{same holder}
                """);
        this.releaseMany = sql(release(""));
        this.release = sql(release("") + returning(durableRelease));
        this.releaseBehind = sql(release("""
                ,
                    waiters = CASE WHEN waiters IS NULL OR {contains} OR LENGTH(waiters) >= {room} THEN waiters
                        ELSE {lined up} END""") + returning(durableRelease));
        this.releaseBefore = sql(release("""
                ,
                    waiters = CASE WHEN waiters IS NOT NULL
                        THEN SUBSTR({node before}, 1, {room}) END""") + returning(durableRelease, false));
        this.pass = pass("\n  AND (waiters IS NULL OR waiters = :node)");
        this.passInAnyCase = pass("");
        this.forceRelease = sql("""
                UPDATE {table}
                SET {keep for the first},
                    expires_at = {epoch}
                WHERE reservation_key = :key
                  AND expires_at > {now}{same key}
                """ + returning(true));
        this.withdraw = sql("""
                UPDATE {table}
                SET reserved_until = CASE WHEN {first} = :node THEN {grace} ELSE reserved_until END,
                    waiters = NULLIF(REPLACE(waiters, :node, ''), '')
                WHERE reservation_key = :key
                  AND {contains}{same key}
                """ + returning(true));
        this.find = select("reservation_key = :key");
        this.list = select(dialect.keyToSearch() + " LIKE :key ESCAPE '!'");
        this.findDead = sql("""
                SELECT reservation_key
                FROM {table}
                WHERE expires_at <= {now}
                  AND acquired_at <= {longAgo}
                {limit}
                """);
        this.purge = sql("""
                DELETE FROM {table}
                WHERE reservation_key = :key
                  AND expires_at <= {now}
                  AND acquired_at <= {longAgo}
                """);
        this.checkKeys = sql("""
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
                .replace("{bytes ?}", dialect.bytesOf(":key"))
                .replace("{or loses}", dialect.losesCharacters().map(loses -> "\n   OR " + loses).orElse("")));
        this.checkColumns = sql("SELECT * FROM {table} WHERE 1 = 0");
    }

    /** Returns all statements with what they are for, in the order in which a lock meets them. */
    public Map<String, String> all() {
        Map<String, SqlStatement> all = new LinkedHashMap<>();
        all.put("check how keys are compared, once", checkKeys);
        all.put("check which columns there are, and how times are kept, once", checkColumns);
        if (dialect.upsert() == Dialect.Upsert.ON_CONFLICT) {
            all.put("acquire a key that the manager was granted before", acquireRow);
        }
        all.put("acquire", acquire);
        if (!acquire.equals(acquireInTurn)) {
            all.put("acquire a key that others want, or line up", acquireInTurn);
        }
        if (dialect.upsert() == Dialect.Upsert.NONE) {
            all.put("acquire a key that has no row", insert);
        }
        all.put("look what is in the way", look);
        all.put("line up", lineUp);
        all.put("renew", renew);
        all.put("release", release);
        if (!release.equals(releaseMany)) {
            all.put("release, several in one batch", releaseMany);
        }
        all.put("release, and line up behind those that wait", releaseBehind);
        all.put("release, and stay before those that wait", releaseBefore);
        all.put("pass on to another thread, unless other nodes wait", pass);
        all.put("pass on to another thread", passInAnyCase);
        all.put("force release", forceRelease);
        all.put("leave the line", withdraw);
        all.put("find", find);
        all.put("list", list);
        all.put("find what can be purged", findDead);
        all.put("purge", purge);
        return all.entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().text(), (a, b) -> a, LinkedHashMap::new));
    }

    /** Compares with the time of the new row: read once, and before the row was locked, it can only refuse too much. */
    private SqlStatement onConflict() {
        return sql("""
                INSERT INTO {table} AS lease (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {end}, {micros})
                ON CONFLICT (reservation_key) DO UPDATE
                SET holder = EXCLUDED.holder,
                    acquired_at = EXCLUDED.acquired_at,
                    expires_at = EXCLUDED.expires_at,
                    fence = COALESCE(lease.fence + 1, EXCLUDED.fence)
                WHERE lease.expires_at <= EXCLUDED.acquired_at
                  AND lease.waiters IS NULL
                RETURNING TRUE AS granted, fence
                """);
    }

    /**
     * A row comes back from a node that was granted the key, and is not in line then, or that lined up. The holder would not
     * tell: it may be ours from a request whose answer got lost, and that somebody has ended since.
     */
    private SqlStatement onConflictInTurn() {
        return sql("""
                INSERT INTO {table} AS lease (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {end}, {micros})
                ON CONFLICT (reservation_key) DO UPDATE
                SET holder = CASE WHEN {free} THEN EXCLUDED.holder ELSE lease.holder END,
                    acquired_at = CASE WHEN {free} THEN EXCLUDED.acquired_at ELSE lease.acquired_at END,
                    expires_at = CASE WHEN {free} THEN EXCLUDED.expires_at ELSE lease.expires_at END,
                    fence = CASE WHEN {free} THEN COALESCE(lease.fence + 1, EXCLUDED.fence) ELSE lease.fence END,
                    waiters = CASE WHEN {free} THEN {left} ELSE {lease lined up} END
                WHERE {free}
                   OR (:waits AND {can line up})
                RETURNING waiters IS NULL OR NOT {contains} AS granted, fence, {in the way} AS remaining, waiters
                """.replace("{left}", at(LEFT_WAITING, "lease.", ""))
                .replace("{can line up}", at(CAN_LINE_UP, "lease.", ""))
                .replace("{lease lined up}", dialect.concat("COALESCE(lease.waiters, '')", ":node"))
                .replace("{free}", free("lease.", "EXCLUDED.acquired_at")));
    }

    private SqlStatement onDuplicateKey() {
        return sql("""
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {end}, {micros})
                ON DUPLICATE KEY UPDATE
                    fence = IF({free}, COALESCE(fence + 1, VALUES(fence)), fence),
                    holder = IF({free}, VALUES(holder), holder),
                    acquired_at = IF({free}, VALUES(acquired_at), acquired_at),
                    expires_at = IF({free}, VALUES(expires_at), expires_at)
                RETURNING holder = :holder AND acquired_at = {now} AS granted, fence, {remaining} AS remaining,
                    waiters
                """.replace("{free}", "expires_at <= {now} AND waiters IS NULL"));
    }

    /**
     * Assignments take effect one after another here, or with {@code SIMULTANEOUS_ASSIGNMENT} all at once. In the first case
     * the line may have changed before the end is set; then holder and acquired_at, which are those of the new row by now,
     * say that the key was granted: no other acquisition has both.
     */
    private SqlStatement onDuplicateKeyInTurn() {
        return sql("""
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {end}, {micros})
                ON DUPLICATE KEY UPDATE
                    fence = IF({free}, COALESCE(fence + 1, VALUES(fence)), fence),
                    holder = IF({free}, VALUES(holder), holder),
                    acquired_at = IF({free}, VALUES(acquired_at), acquired_at),
                    waiters = IF({free}, {left},
                        IF(:waits AND {can line up}, {lined up}, waiters)),
                    expires_at = IF({free} OR ({granted}), VALUES(expires_at), expires_at)
                RETURNING holder = :holder AND acquired_at = {now} AS granted, fence, {in the way} AS remaining,
                    waiters
                """.replace("{free}", free("", "{now}"))
                .replace("{left}", at(LEFT_WAITING, "", ""))
                .replace("{granted}", "holder = VALUES(holder) AND acquired_at = VALUES(acquired_at)"));
    }

    private SqlStatement update() {
        return sql("""
                UPDATE {table}
                SET fence = {next fence},
                    waiters = {left},
                    holder = :holder,
                    acquired_at = {now},
                    expires_at = {end}
                WHERE reservation_key = :key
                  AND {free}{same key}
                """.replace("{left}", at(LEFT_WAITING, "", "")).replace("{free}", free("", "{now}"))
                + returningFence());
    }

    private SqlStatement pass(String condition) {
        return sql("""
                UPDATE {table}
                SET fence = {next fence},
                    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, :node, ''), '') END,
                    holder = :next,
                    acquired_at = {now},
                    expires_at = {end}
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{condition}{same key}{same holder}
                """.replace("{condition}", condition)
                + returningFence());
    }

    private String returningFence() {
        return dialect.hasReturning() ? "RETURNING fence" : "";
    }

    /** That the key is free for the node, at a time. */
    private String free(String row, String at) {
        return at(FREE_FOR_NODE, row, at);
    }

    private SqlStatement insert() {
        return sql("""
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {end}, {first fence})
                """.replace("{first fence}", dialect.asGeneratedKey("{micros}")));
    }

    private static String release(String lineUp) {
        return """
                UPDATE {table}
                SET {keep for the first},
                    expires_at = {epoch}{line up}
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{same key}{same holder}
                """.replace("{line up}", lineUp);
    }

    /** What a statement that gives a key back does besides: call the first in line, and not wait for its flush to disk. */
    private String returning(boolean durable) {
        return returning(durable, calls);
    }

    private String returning(boolean durable, boolean callsFirst) {
        String clauses = Stream.concat(
                durable ? Stream.empty() : dialect.relaxedCommit().stream(),
                callsFirst ? dialect.call("{called}").stream() : Stream.empty())
                .collect(Collectors.joining(",\n    "));
        return clauses.isEmpty()
                ? ""
                : "RETURNING " + clauses.replace("{called}", "waiters IS NOT NULL AND expires_at <= {now}");
    }

    private SqlStatement select(String condition) {
        return sql("""
                SELECT reservation_key, holder, {since} AS since, {remaining} AS remaining, fence
                FROM {table}
                WHERE\s""" + condition + """

                  AND expires_at > {now}
                """);
    }

    /** Fills in whose columns are meant, and what time it is. */
    private String at(String template, String row, String now) {
        return template.replace("{at}", now)
                .replace("{first}", "SUBSTR({row.}waiters, 1, " + WaitersColumn.PLACE + ")")
                .replace("{rest}", "SUBSTR({row.}waiters, " + (WaitersColumn.PLACE + 1) + ")")
                .replace("{contains}", dialect.contains("{row.}waiters", ":node"))
                .replace("{row.}", row);
    }

    /** Compares the column once more where {@code =} does not tell all that is different. */
    private String sameBytes(String column, String parameter) {
        return dialect.comparesByLanguage()
                ? "\n  AND " + dialect.bytesOf(column) + " = " + dialect.bytesOf(parameter)
                : "";
    }

    private SqlStatement sql(String template) {
        String micros = dialect.microsBetween(dialect.epoch(), dialect.now());
        String remaining = dialect.microsBetween(dialect.now(), "expires_at");
        String reserved = dialect.microsBetween(dialect.now(), "reserved_until");
        return SqlStatement.of(template.strip()
                .replace(
                        "{keep for the first}",
                        "reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE {grace} END")
                .replace("{next fence}", dialect.asGeneratedKey("COALESCE(fence + 1, {micros})"))
                .replace("{can line up}", at(CAN_LINE_UP, "", ""))
                .replace("{lined up}", dialect.concat("COALESCE(waiters, '')", ":node"))
                .replace("{node before}", dialect.concat(":node", "COALESCE(REPLACE(waiters, :node, ''), '')"))
                .replace("{first}", at("{first}", "", ""))
                .replace("{contains}", at("{contains}", "", ""))
                .replace("{room}", String.valueOf(WaitersColumn.ROOM))
                .replace("{in the way}", "CASE WHEN expires_at > {now} THEN {remaining} ELSE {reserved} END")
                .replace("{reserved}", reserved)
                .replace("{same key}", sameBytes("reservation_key", ":key"))
                .replace("{same holder}", sameBytes("holder", ":holder"))
                .replace("{limit}", dialect.atMostRows(":limit"))
                .replace("{table}", table.name())
                .replace("{micros}", micros)
                .replace("{remaining}", remaining)
                .replace("{since}", dialect.microsBetween(dialect.epoch(), "acquired_at"))
                .replace("{now}", dialect.now())
                .replace("{end}", dialect.nowPlus(":micros"))
                .replace("{grace}", dialect.nowPlus(":grace"))
                .replace("{longAgo}", dialect.nowMinus(":micros"))
                .replace("{epoch}", dialect.epoch()));
    }
}
