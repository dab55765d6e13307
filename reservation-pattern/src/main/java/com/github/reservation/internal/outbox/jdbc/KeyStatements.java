// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.Map;

/**
 * The statements on keys that have a lane of their own. The worker that delivers a key is its owner until another takes it. A key is due when
 * the lease or the pause of {@code wait_micros} is over. A parked key is never due.
 */
final class KeyStatements {

    /** Reads the keys that are due next. The condition on the time keeps the search of the index from those that are parked. */
    final SqlStatement next;

    /** Leases a key that is due. 0 rows: it is not, or its lane is closed. */
    final SqlStatement take;

    /** Reads a key that the owner has leased: also one whose lease was taken, but the reply was lost. */
    final SqlStatement taken;

    /** Reads whether the key that is due last is due later than twice its wait: the clock was set back. No row: no key waits. */
    final SqlStatement last;

    /** Makes the keys due for which this is so. */
    final SqlStatement dueNow;

    /** Reads the lane of a key. No row: it shares one. */
    final SqlStatement lane;

    /** Inserts a key. Only for the owner of the shared lane, which is locked. */
    final SqlStatement insert;

    /** Changes what is known of a key that the owner has leased. 0 rows: another worker has it, or this was recorded before. */
    final SqlStatement record;

    /** Makes a key due whose first event is gone. */
    final SqlStatement unblock;

    /** Reads the parked keys whose first event is gone. */
    final SqlStatement stuck;

    /** Locks a key that the owner has leased, and reads its lane. No row: another worker has it. */
    final SqlStatement lock;

    /** Makes such a key due, or deletes it if its lane is empty. */
    final SqlStatement free;

    final SqlStatement close;

    /** By the number of keys: locks those that have a lane, so that no lane is closed meanwhile. */
    final SqlList lockAll;

    /** Locks all keys of a listener, so that nothing is moved to their lanes. */
    final SqlStatement lockAllOf;

    KeyStatements(Dialect dialect, SqlTemplates templates) {
        this.next = templates.statement("read the keys with a lane of their own that are due next", dialect.firstRows("""
                SELECT key_id, {until due} AS micros
                FROM {keys}
                WHERE listener_id = :listener
                  AND due_at > {epoch}
                ORDER BY due_at
                """, ":limit"), Map.of("until due", dialect.microsBetween(dialect.now(), "due_at")));
        this.take = templates.statement("lease a key", """
                UPDATE {keys}
                SET owner = :owner,
                    due_at = {later},
                    wait_micros = :micros,
                    attempts = attempts + 1
                WHERE listener_id = :listener
                  AND key_id = :keyid
                  AND due_at <= {now}
                """);
        this.taken = templates.statement("lease a key: read its lane", """
                SELECT lane, head, attempts
                FROM {keys}
                WHERE listener_id = :listener
                  AND key_id = :keyid
                  AND owner = :owner
                """);
        Map<String, String> twice = Map.of("twice", dialect.nowPlus("2 * wait_micros"));
        this.last = templates.statement("register a listener: look whether the clock was set back", dialect.firstRows("""
                SELECT CASE WHEN due_at > {start} AND due_at > {twice} THEN 1 ELSE 0 END AS late
                FROM {keys}
                WHERE listener_id = :listener
                  AND due_at > {epoch}
                ORDER BY due_at DESC
                """, "1"), twice);
        this.dueNow = templates.statement("register a listener: undo that", """
                UPDATE {keys}
                SET due_at = {now}
                WHERE listener_id = :listener
                  AND due_at > {start}
                  AND due_at > {twice}
                """, twice);
        this.lockAll = templates.list("move deliveries: lock their keys, with a list of 1, 10, 100 or 500 keys",
                """
                SELECT key_id
                FROM {keys}
                WHERE listener_id = :listener
                  AND key_id IN ({list})
                ORDER BY key_id
                FOR UPDATE
                """, ":keyids");
        this.lockAllOf = templates.statement("forget a listener: lock its keys", """
                SELECT key_id
                FROM {keys}
                WHERE listener_id = :listener
                ORDER BY key_id
                FOR UPDATE
                """);
        this.lane = templates.statement("give a key its own lane: look whether it has one", """
                SELECT lane
                FROM {keys}
                WHERE listener_id = :listener
                  AND key_id = :keyid
                """);
        this.insert = templates.statement("give a key its own lane: insert it", """
                INSERT INTO {keys} (listener_id, key_id, lane, head, attempts, owner, due_at, wait_micros, last_error)
                VALUES (:listener, :keyid, :lane, :head, :attempts, :next, {due}, :micros, :error)
                """);
        this.record = templates.statement("record an attempt with the first event of a key", """
                UPDATE {keys}
                SET head = :head,
                    attempts = :attempts,
                    owner = :next,
                    due_at = {due},
                    wait_micros = :micros,
                    last_error = :error
                WHERE listener_id = :listener
                  AND key_id = :keyid
                  AND owner = :owner
                """);
        this.unblock = templates.statement("then look whether the event was discarded meanwhile", """
                UPDATE {keys}
                SET {due now},
                    attempts = 0
                WHERE listener_id = :listener
                  AND key_id = :keyid
                  AND owner = '-'
                  AND {headless}
                """);
        this.stuck = templates.statement("look for parked keys whose event is gone, about once an hour", """
                SELECT listener_id, key_id
                FROM {keys}
                WHERE due_at IS NULL
                  AND {headless}
                """);
        this.lock = templates.statement("give a key back: lock it", """
                SELECT lane
                FROM {keys}
                WHERE listener_id = :listener
                  AND key_id = :keyid
                  AND owner = :owner
                FOR UPDATE
                """);
        this.free = templates.statement("give a key back: it is due", """
                UPDATE {keys}
                SET attempts = :attempts,
                    owner = '-',
                    {due now}
                WHERE listener_id = :listener
                  AND key_id = :keyid
                """);
        this.close = templates.statement("give a key back: close its lane if it is empty", """
                DELETE FROM {keys}
                WHERE listener_id = :listener
                  AND key_id = :keyid
                """);
    }
}
