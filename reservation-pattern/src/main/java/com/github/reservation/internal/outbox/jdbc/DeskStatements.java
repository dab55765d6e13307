// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.Map;

/** The statements on the tables of an outbox that operators need. */
final class DeskStatements {

    private static final String SLICE = "2000";

    /** Reads who is registered. */
    final SqlStatement registered;

    /** Counts, for each listener, what waits and is parked, and says how old the oldest is. */
    final SqlStatement waiting;

    /**
     * Reads ids of events in slices of a table: so a statement that looks for a few events among millions reads no more than others.
     *
     * @param end reads the last id of the next slice; 0 if there is none
     * @param meant reads the ids that a query means, up to that one
     */
    record Ids(SqlStatement end, SqlStatement meant) {}

    /** What waits. */
    final Ids waitingIds;

    /** What failed and is not under way. */
    final Ids failedIds;

    /** By the number of ids: read for whom events wait and what failed, and the events. */
    final SqlList deliveries;

    final SqlList events;

    /** By the number of ids: makes keys due whose first event is one of them, and that failed. The others are due, or under way. */
    final SqlList retry;

    /** Reads the highest id for which something waits; 0 if nothing does. */
    final SqlStatement last;

    /** Reads the next ids of events. */
    final SqlStatement nextEvents;

    DeskStatements(Dialect dialect, SqlTemplates templates) {
        this.registered = templates.statement("read who is registered", """
                SELECT listener_id, event_type, {seen} AS seen
                FROM {listeners}
                """, Map.of("seen", dialect.microsBetween(dialect.epoch(), "seen_at")));
        this.waiting = templates.statement("count what waits for whom", """
                SELECT d.listener_id, d.waiting, COALESCE(k.parked, 0) AS parked, {age} AS age
                FROM (
                SELECT listener_id, COUNT(*) AS waiting, MIN(event_id) AS oldest
                FROM {deliveries}
                GROUP BY listener_id
                ) d
                LEFT JOIN (
                SELECT listener_id, COUNT(*) AS parked
                FROM {keys}
                WHERE due_at IS NULL
                GROUP BY listener_id
                ) k ON k.listener_id = d.listener_id
                LEFT JOIN {events} e ON e.id = d.oldest
                """, Map.of("age", dialect.microsBetween("e.created_at", dialect.now())));
        this.waitingIds = ids("list what waits", dialect, templates, "event_id", "{deliveries}", "");
        this.failedIds = ids("list what failed or is parked", dialect, templates, "head", "{keys}", """
                  AND owner = '-'
                  AND attempts > 0
                  AND (:state = '*' OR due_at IS NULL)
                """);
        this.deliveries = templates.list("list for whom events wait, with a list of 1, 10, 100 or 500 ids", """
                SELECT d.event_id, d.listener_id, d.bytes, k.attempts,
                    CASE WHEN k.due_at IS NULL THEN 1 ELSE 0 END AS parked,
                    CASE WHEN k.owner = '-' THEN k.last_error ELSE 'under way' END AS error
                FROM {deliveries} d
                LEFT JOIN {keys} k ON k.listener_id = d.listener_id
                  AND k.key_id = d.key_id
                  AND k.head = d.event_id
                WHERE d.event_id IN ({list})
                ORDER BY d.event_id, d.listener_id
                """, ":ids");
        this.events = templates.list("list events, with a list of as many ids", """
                SELECT e.id, e.event_key, e.event_type, e.payload, {created} AS created
                FROM {events} e
                WHERE e.id IN ({list})
                ORDER BY e.id
                """, ":ids");
        this.retry = templates.list("retry what failed, with a list of as many ids", """
                UPDATE {keys}
                SET {due now},
                    attempts = 0
                WHERE head IN ({list})
                  AND owner = '-'
                  AND attempts > 0
                  AND {of listener}
                """, ":ids");
        this.last = templates.statement("list, retry, discard or forget many: stop at what is new",
                "SELECT COALESCE(MAX(event_id), 0)\nFROM {deliveries}");
        this.nextEvents =
                templates.statement("look for events that nobody waits for, about once an hour", dialect.firstRows("""
                SELECT id
                FROM {events}
                WHERE id > :id
                ORDER BY id
                """, String.valueOf(OutboxStore.MANY)));
    }

    private static Ids ids(
            String purpose, Dialect dialect, SqlTemplates templates, String id, String table, String condition) {
        Map<String, String> own = Map.of("id", id, "table", table);
        SqlStatement end = templates.statement(
                purpose + ": the last id of the next slice",
                "SELECT COALESCE(MAX({id}), 0)\nFROM (\n" + dialect.firstRows("""
                SELECT {id}
                FROM {table}
                WHERE {id} > :id
                  AND {id} <= :last
                ORDER BY {id}
                """, SLICE) + "\n) slice", own);
        return new Ids(end, templates.statement(purpose + ": those that a query means", dialect.firstRows("""
                SELECT DISTINCT {id}
                FROM {table}
                WHERE {id} > :id
                  AND {id} <= :last
                  AND {of listener}
                  AND (:keyid = '*' OR key_id = :keyid)
                  AND (:type = '*' OR EXISTS (
                  SELECT 1
                  FROM {events} e
                  WHERE e.id = {table}.{id}
                    AND e.event_type = :type))
                %sORDER BY {id}
                """.formatted(condition), ":limit"), own));
    }
}
