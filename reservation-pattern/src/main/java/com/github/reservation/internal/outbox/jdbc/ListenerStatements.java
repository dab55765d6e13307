// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.Map;

/** The statements that make listeners known, and forget them. */
final class ListenerStatements {

    /** For so long nobody else says that a type is wanted: many instances do. */
    private static final String FRESH_MICROS = "5000000";

    private static final String FORGET = """
            DELETE FROM {table}
            WHERE listener_id = :listener
              AND NOT EXISTS (
              SELECT 1
              FROM {listeners} r
              WHERE r.listener_id = {table}.listener_id)
            """;

    /** Reads which lanes a listener has. */
    final SqlStatement lanes;

    /** Inserts a lane of a listener. A duplicate key: another instance has inserted it meanwhile. */
    final SqlStatement insertLane;

    /** Reads the types of a listener. */
    final SqlStatement types;

    /** Says that a listener still wants a type. 0 rows: an instance has just said so. */
    final SqlStatement seen;

    /** Inserts a type of a listener. A duplicate key: another instance has inserted it meanwhile. */
    final SqlStatement insert;

    /** By the number of types: reads the events of a slice for which others wait, but not the listener. */
    final SqlList kept;

    /** Inserts a delivery of such an event. */
    final SqlStatement insertKept;

    /** Reads what nobody has said to want for long. */
    final SqlStatement absent;

    /** Forget what a listener wants: a type, or any; if so, only what nobody has said to want for long. 0 rows: there is nothing. */
    final SqlStatement forget;

    /** Forget the lanes of a listener that is not registered: those that its keys share, and their own if they are empty. */
    final SqlStatement forgetLanes;

    final SqlStatement forgetKeys;

    ListenerStatements(Dialect dialect, SqlTemplates templates) {
        this.lanes = templates.statement("register a listener: read which lanes it has", """
                SELECT lane
                FROM {lanes}
                WHERE listener_id = :listener
                """);
        this.insertLane = templates.statement("register a listener: insert a lane", """
                INSERT INTO {lanes} (listener_id, lane, owner, leased_until, lease_micros)
                VALUES (:listener, :lane, '-', {now}, 0)
                """);
        this.types = templates.statement("register a listener: read its types", """
                SELECT event_type
                FROM {listeners}
                WHERE listener_id = :listener
                """);
        this.seen = templates.statement("register a listener: see each of its types again, now and then", """
                UPDATE {listeners}
                SET seen_at = {now}
                WHERE event_type = :type
                  AND listener_id = :listener
                  AND (seen_at <= {stale} OR seen_at > {now})
                """, Map.of("stale", dialect.nowMinus(FRESH_MICROS)));
        this.insert = templates.statement("register a listener: insert a type", """
                INSERT INTO {listeners} (event_type, listener_id, seen_at)
                VALUES (:type, :listener, {now})
                """);
        this.kept =
                templates.list("register a listener: find events that are kept, with a list of 1, 10, 100 or 500 types", """
                SELECT d.event_id, MIN(d.key_id) AS key_id, MIN(d.bytes) AS bytes
                FROM {deliveries} d
                JOIN {events} e ON e.id = d.event_id
                WHERE d.event_id > :id
                  AND d.event_id <= :last
                  AND e.event_type IN ({list})
                GROUP BY d.event_id
                HAVING MAX(CASE WHEN d.listener_id = :listener THEN 1 ELSE 0 END) = 0
                ORDER BY d.event_id
                """, ":types");
        this.insertKept = templates.statement("register a listener: insert a delivery", "{insert delivery}");
        this.absent = templates.statement("read what no instance has registered for long", """
                SELECT listener_id, event_type
                FROM {listeners}
                WHERE seen_at < {long ago}
                """, Map.of("long ago", dialect.nowMinus(":micros")));
        this.forget = templates.statement("forget what a listener wants", """
                DELETE FROM {listeners}
                WHERE listener_id = :listener
                  AND (:type = '*' OR event_type = :type)
                  AND (:state = '*' OR seen_at < {long ago})
                """, Map.of("long ago", dialect.nowMinus(":micros")));
        this.forgetLanes = templates.statement("forget its lanes", FORGET, Map.of("table", "{lanes}"));
        this.forgetKeys = templates.statement("forget its keys for which nothing waits", FORGET + """
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {deliveries} d
                  WHERE d.listener_id = {keys}.listener_id
                    AND d.lane = {keys}.lane)
                """, Map.of("table", "{keys}"));
    }
}
