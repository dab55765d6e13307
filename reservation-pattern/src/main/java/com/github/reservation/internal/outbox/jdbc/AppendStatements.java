// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.PostgreSqlListener;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.internal.sql.TableName;
import java.util.Map;
import java.util.Optional;

/**
 * The statements that append events in a caller's transaction. None of them locks a row that is there, or waits for one, but for a caller at
 * SERIALIZABLE on MySQL or MariaDB, where each read locks. So a listener that registers meanwhile may miss the events.
 */
final class AppendStatements {

    /**
     * Do all at once, and return the types that somebody wants.
     *
     * @param one appends one event
     * @param several appends the events of several arrays, in their order
     */
    record AtOnce(SqlStatement one, SqlStatement several) {}

    /**
     * Do it step by step.
     *
     * @param wanted by the number of types: reads who wants them
     * @param event inserts an event, and returns its id as a generated key
     * @param delivery inserts a delivery
     */
    record Steps(SqlList wanted, SqlStatement event, SqlStatement delivery) {}

    /** Either of them, as the database allows. */
    final Optional<AtOnce> atOnce;

    final Optional<Steps> steps;

    /** Notifies the instances that listen, after the commit; empty if the database cannot. */
    final Optional<SqlStatement> announce;

    AppendStatements(Dialect dialect, SqlTemplates templates, TableName events) {
        this.atOnce = dialect.rowsOf(":listeners").map(own -> atOnce(dialect, templates, own));
        this.steps = atOnce.isPresent() ? Optional.empty() : Optional.of(steps(templates));
        this.announce = dialect
                .notifyIf(
                        "1 = 1",
                        PostgreSqlListener.everyListener(),
                        "'" + Announcements.ADDRESS + "'",
                        "'" + Announcements.secret(events) + "'")
                .map(notification -> templates.statement(
                        "announce that, at times and only with notifications", "SELECT " + notification));
    }

    private static Steps steps(SqlTemplates templates) {
        return new Steps(
                templates.list(
                        "append, in the caller's transaction: read who wants events, with a list of 1, 10, 100 or 500 types",
                        """
                SELECT event_type, listener_id
                FROM {listeners}
                WHERE event_type IN ({list})
                """, ":types"),
                templates.statement("append: insert an event", """
                INSERT INTO {events} (event_key, event_type, payload, created_at)
                VALUES (:key, :type, :payload, {now})
                """),
                templates.statement("append: insert a delivery", "{insert delivery}"));
    }

    /** Several events get their ids in their order, so that the ids can be given back to them. */
    private static AtOnce atOnce(Dialect dialect, SqlTemplates templates, String own) {
        SqlStatement one = templates.statement("append one event, in the caller's transaction", """
                WITH wanted AS (
                SELECT listener_id
                FROM {listeners}
                WHERE event_type = :type
                UNION
                SELECT listener_id
                FROM {own} AS own (listener_id)
                ), event AS (
                INSERT INTO {events} (event_key, event_type, payload, created_at)
                SELECT :key, :type, :payload, {now}
                WHERE EXISTS (SELECT FROM wanted)
                RETURNING id
                ), delivery AS (
                INSERT INTO {deliveries} (event_id, listener_id, lane, key_id, bytes)
                SELECT e.id, w.listener_id, :lane, :keyid, :bytes
                FROM event e
                CROSS JOIN wanted w
                )
                SELECT :type
                FROM event
                """, Map.of("own", own));
        String several = """
                WITH wanted AS (
                SELECT event_type, listener_id
                FROM {listeners}
                WHERE event_type = ANY (CAST(:types AS TEXT[]))
                UNION
                SELECT event_type, listener_id
                FROM {own} AS own (event_type, listener_id)
                ), given AS (
                SELECT g.*, ROW_NUMBER() OVER (ORDER BY place) AS nth
                FROM {rows} WITH ORDINALITY AS g (lane, key_id, event_key, event_type, payload, bytes, place)
                WHERE event_type IN (SELECT event_type FROM wanted)
                ), event AS (
                INSERT INTO {events} (event_key, event_type, payload, created_at)
                SELECT event_key, event_type, payload, {now}
                FROM given
                ORDER BY nth
                RETURNING id
                ), delivery AS (
                INSERT INTO {deliveries} (event_id, listener_id, lane, key_id, bytes)
                SELECT e.id, w.listener_id, CAST(g.lane AS BIGINT), g.key_id, CAST(g.bytes AS INTEGER)
                FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS nth FROM event) e
                JOIN given g ON g.nth = e.nth
                JOIN wanted w ON w.event_type = g.event_type
                )
                SELECT DISTINCT event_type
                FROM wanted
                """;
        return new AtOnce(one,
                templates.statement("append several events, in the caller's transaction", several, Map.of(
                        "own", dialect.rowsOf(":wanted", ":listeners").orElseThrow(),
                        "rows",
                        dialect.rowsOf(":lanes", ":keyids", ":keys", ":types", ":payloads", ":bytes").orElseThrow())));
    }
}
