// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialect.Upsert;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The statements that acquire a key: {@link RowAcquisition} says when each is sent. Their full text is in
 * {@code docs/backends/sql}.
 *
 * <p>A key is free when its lease is over. If nodes wait and the lease was released, the key is reserved for the first of them
 * until its grace ends. If that node does not come, the next grant removes it from the queue.
 */
final class AcquireStatements {

    private static final String ACQUIRE = "acquire";
    private static final String ACQUIRE_IN_TURN = "acquire a key that other nodes want, or join the queue";

    /** The key is free for the node, at the time {@code {at}}. */
    private static final String FREE = """
            {row}expires_at <= {at}
              AND ({row}waiters IS NULL OR {row}reserved_until IS NULL OR {row}reserved_until <= {at}
                   OR {first} = :node)""";

    /** The queue after a grant: without the node, and without a first node that did not come in its grace. */
    private static final String QUEUE_AFTER_GRANT = """
            CASE WHEN {row}waiters IS NOT NULL THEN NULLIF(REPLACE(
                CASE WHEN {row}expires_at = {epoch} AND {first} <> :node THEN {rest} ELSE {row}waiters END,
                :node, ''), '') END""";

    /** The queue without its first node. */
    private static final String REST = "SUBSTR({row}waiters, " + (WaitersColumn.ENTRY_LENGTH + 1) + ")";

    /** For how long the key is held, or reserved for another node. */
    private static final String BLOCKED = "CASE WHEN expires_at > {now} THEN {remaining} ELSE {reserved} END";

    /**
     * Grants the key if it is free or new and no node waits. With {@code ON CONFLICT} no row means refused; with
     * {@code ON DUPLICATE KEY} the row says {@code granted}. Without an upsert it grants a key that has a row and is free for
     * the node, and 0 rows mean refused or no row.
     */
    final SqlStatement acquire;

    /**
     * Grants the key if it has a row, is free, and no node waits. 0 rows: refused or no row. Without {@code ON CONFLICT} it is the same
     * as {@link #acquire}.
     */
    final SqlStatement acquireRow;

    /**
     * Grants the key if it is free and the node is the first in its queue. 0 rows: refused or no row. Without {@code ON CONFLICT} it is
     * the same as {@link #acquire}.
     */
    final SqlStatement acquireFirst;

    /**
     * Grants the key if it is new or free for the node; else adds a node that waits to the queue. No row: refused, and the queue
     * is as before. Without an upsert it is the same as {@link #acquire}.
     */
    final SqlStatement acquireInTurn;

    /** Grants the key if it has no row. A duplicate key: it has one. With an upsert it is the same as {@link #acquire}. */
    final SqlStatement insert;

    /** Reads for how long the key is held or reserved, and the queue. No row: the key is free. */
    final SqlStatement look;

    /**
     * Adds the node to the queue of a key that is held or awaited. 0 rows: the key is free by now, the node is in the queue
     * already, or the queue is full. A node alone in the queue of a free key would wait for nothing.
     */
    final SqlStatement joinQueue;

    private final Dialect dialect;
    private final SqlTemplates templates;

    AcquireStatements(Dialect dialect, SqlTemplates templates) {
        this.dialect = dialect;
        this.templates = templates;
        boolean onConflict = dialect.upsert() == Upsert.ON_CONFLICT;
        Optional<SqlStatement> row = onConflict ? Optional.of(acquireRow()) : Optional.empty();
        Optional<SqlStatement> first = onConflict ? Optional.of(acquireFirst()) : Optional.empty();
        this.acquire = switch (dialect.upsert()) {
            case ON_CONFLICT -> onConflict();
            case ON_DUPLICATE_KEY -> onDuplicateKey();
            case NONE -> update();
        };
        this.acquireRow = row.orElse(acquire);
        this.acquireFirst = first.orElse(acquire);
        this.acquireInTurn = switch (dialect.upsert()) {
            case ON_CONFLICT -> onConflictInTurn();
            case ON_DUPLICATE_KEY -> onDuplicateKeyInTurn();
            case NONE -> acquire;
        };
        this.insert = dialect.upsert() == Upsert.NONE ? insert() : acquire;
        this.look = templates.statement("look for how long the key is held or reserved", """
                SELECT {remaining} AS remaining, {reserved} AS reserved, {granted ago} AS granted_ago, waiters
                FROM {table}
                WHERE reservation_key = :key{same key}
                """);
        this.joinQueue = templates.statement("join the queue", """
                UPDATE {table}
                SET waiters = {queue with node}
                WHERE reservation_key = :key
                  AND (expires_at > {now} OR waiters IS NOT NULL)
                  AND {can join}{same key}
                """);
    }

    private SqlStatement acquireRow() {
        return updateRow("acquire a key that the manager was granted before", "", "waiters IS NULL");
    }

    private SqlStatement acquireFirst() {
        return updateRow(
                "acquire a key as the first node in its queue",
                "\n    waiters = NULLIF(" + REST + ", ''),",
                "{first} = :node");
    }

    private SqlStatement updateRow(String purpose, String queueChange, String condition) {
        return templates.statement(purpose, """
                UPDATE {table}
                SET fence = {next fence},{queue change}
                    holder = :holder,
                    acquired_at = {now},
                    expires_at = {lease end}
                WHERE reservation_key = :key
                  AND expires_at <= {now}
                  AND {condition}{same key}
                {returning fence}
                """, Map.of("queue change", queueChange, "condition", condition));
    }

    private SqlStatement insert() {
        return templates.statement("acquire a key that has no row", """
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {lease end}, {first fence})
                """, Map.of("first fence", dialect.asGeneratedKey("{epoch micros}")));
    }

    /** Compares with the time of the new row: read once, and before the row was locked, it can only refuse too much. */
    private SqlStatement onConflict() {
        return templates.statement(ACQUIRE, """
                INSERT INTO {table} AS lease (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {lease end}, {epoch micros})
                ON CONFLICT (reservation_key) DO UPDATE
                SET holder = EXCLUDED.holder,
                    acquired_at = EXCLUDED.acquired_at,
                    expires_at = EXCLUDED.expires_at,
                    fence = GREATEST(lease.fence + 1, EXCLUDED.fence)
                WHERE lease.expires_at <= EXCLUDED.acquired_at
                  AND lease.waiters IS NULL
                RETURNING TRUE AS granted, fence
                """);
    }

    /**
     * Returns a row if the key was granted, and then the node is not in the queue; or if the node joined the queue. The holder
     * does not show which: the row may still have it from an earlier request of the same acquisition, whose lease has ended.
     *
     * <p>A commit that only joins the queue need not wait for the disk: it would only keep the row locked for longer, and a node
     * that a crash puts out of the queue joins it again at its next look.
     */
    private SqlStatement onConflictInTurn() {
        Map<String, String> own = inTurn("EXCLUDED.acquired_at");
        own.put("row", "lease.");
        own.put("still in queue", dialect.contains("waiters", ":node"));
        own.put("blocked", BLOCKED);
        own.put("relaxed commit", dialect.relaxedCommit().orElseThrow());
        return templates.statement(ACQUIRE_IN_TURN, """
                INSERT INTO {table} AS lease (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {lease end}, {epoch micros})
                ON CONFLICT (reservation_key) DO UPDATE
                SET holder = CASE WHEN {free} THEN EXCLUDED.holder ELSE lease.holder END,
                    acquired_at = CASE WHEN {free} THEN EXCLUDED.acquired_at ELSE lease.acquired_at END,
                    expires_at = CASE WHEN {free} THEN EXCLUDED.expires_at ELSE lease.expires_at END,
                    fence = CASE WHEN {free} THEN GREATEST(lease.fence + 1, EXCLUDED.fence) ELSE lease.fence END,
                    waiters = CASE WHEN {free} THEN {queue after grant} ELSE {queue with node} END
                WHERE {free}
                   OR (:waits AND {can join})
                RETURNING waiters IS NULL OR NOT {still in queue} AS granted, fence, {blocked} AS remaining,
                    {granted ago} AS granted_ago, waiters, CASE WHEN {still in queue} THEN {relaxed commit} END
                """, own);
    }

    private SqlStatement onDuplicateKey() {
        return templates.statement(ACQUIRE, """
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {lease end}, {epoch micros})
                ON DUPLICATE KEY UPDATE
                    fence = IF({free}, GREATEST(COALESCE(fence, 0) + 1, VALUES(fence)), fence),
                    holder = IF({free}, VALUES(holder), holder),
                    acquired_at = IF({free}, VALUES(acquired_at), acquired_at),
                    expires_at = IF({free}, VALUES(expires_at), expires_at)
                RETURNING holder = :holder AND acquired_at = {now} AS granted, fence, {remaining} AS remaining,
                    {granted ago} AS granted_ago, waiters
                """, Map.of("free", "expires_at <= {now} AND waiters IS NULL"));
    }

    /**
     * Assignments take effect one after another, or with {@code SIMULTANEOUS_ASSIGNMENT} all at once. In the first case the queue
     * may have changed before the end is set. Then holder and acquired_at, which are those of the new row by now, show that the
     * key was granted: no other acquisition has both.
     */
    private SqlStatement onDuplicateKeyInTurn() {
        Map<String, String> own = inTurn("{now}");
        own.put("granted", "holder = VALUES(holder) AND acquired_at = VALUES(acquired_at)");
        own.put("blocked", BLOCKED);
        return templates.statement(ACQUIRE_IN_TURN, """
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at, fence)
                VALUES (:key, :holder, {now}, {lease end}, {epoch micros})
                ON DUPLICATE KEY UPDATE
                    fence = IF({free}, GREATEST(COALESCE(fence, 0) + 1, VALUES(fence)), fence),
                    holder = IF({free}, VALUES(holder), holder),
                    acquired_at = IF({free}, VALUES(acquired_at), acquired_at),
                    waiters = IF({free}, {queue after grant},
                        IF(:waits AND {can join}, {queue with node}, waiters)),
                    expires_at = IF({free} OR ({granted}), VALUES(expires_at), expires_at)
                RETURNING holder = :holder AND acquired_at = {now} AS granted, fence, {blocked} AS remaining,
                    {granted ago} AS granted_ago, waiters
                """, own);
    }

    private SqlStatement update() {
        return templates.statement(ACQUIRE, """
                UPDATE {table}
                SET fence = {next fence},
                    waiters = {queue after grant},
                    holder = :holder,
                    acquired_at = {now},
                    expires_at = {lease end}
                WHERE reservation_key = :key
                  AND {free}{same key}
                {returning fence}
                """, inTurn("{now}"));
    }

    /** The fragments of a statement that respects the queue, at a time. */
    private static Map<String, String> inTurn(String at) {
        return new HashMap<>(Map.of(
                "at", at,
                "free", FREE,
                "queue after grant", QUEUE_AFTER_GRANT,
                "rest", REST));
    }
}
