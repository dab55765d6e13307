// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.Map;

/** The statements on the tables of an outbox that operators need, and those that check the tables. */
final class DeskStatements {

    /** Counts the events and says how old the oldest is; then counts those that are parked. */
    final SqlStatement backlog;

    final SqlStatement countParked;

    /** Reads the next events; all, or those that are parked. */
    final SqlStatement list;

    final SqlStatement listParked;

    /** By the number of ids: reads the failures of events, and the attempts that are not back. */
    final SqlList failures;

    /** Deletes the failures of an event. 0 rows: it has none. */
    final SqlStatement retry;

    /** Deletes an event, and what is recorded about it. 0 rows: it is gone. */
    final SqlStatement discard;

    final SqlStatement discardRecords;

    /** Forget a listener: delete it, and its lanes. */
    final SqlStatement forgetListener;

    final SqlStatement forgetLanes;

    /** Reads the next events, which are locked and then judged. A list that is not full is the last. */
    final SqlStatement nextEvents;

    /** By the number of ids: deletes events that somebody has received and nobody waits for. */
    final SqlList forgetEvents;

    /** By the number of ids: deletes what is recorded about events for a listener, unless it is known again. */
    final SqlList forgetRecords;

    /** Deletes what is recorded for such a listener about events that are gone: an instance that still had it may have come late. */
    final SqlStatement forgetOtherRecords;

    /** Read no row, but which columns the tables have. */
    final SqlStatement checkEvents;

    final SqlStatement checkListeners;
    final SqlStatement checkLanes;
    final SqlStatement checkDeliveries;

    DeskStatements(Dialect dialect, SqlTemplates templates) {
        this.checkEvents = check(templates, "events");
        this.checkListeners = check(templates, "listeners");
        this.checkLanes = check(templates, "lanes");
        this.checkDeliveries = check(templates, "deliveries");
        this.backlog = templates.statement("count the backlog", """
                SELECT events, {age} AS age_micros
                FROM (
                SELECT COUNT(*) AS events, MIN(created_at) AS oldest
                FROM {events}
                ) counted
                """, Map.of("age", dialect.microsBetween("oldest", dialect.now())));
        this.countParked = templates.statement("count what is parked", """
                SELECT COUNT(DISTINCT event_id)
                FROM {deliveries}
                WHERE state = 'parked'
                """);
        this.list = list("list what is left", dialect, templates, "");
        this.listParked = list("list what is parked", dialect, templates, """
                \n  AND EXISTS (
                  SELECT 1
                  FROM {deliveries} d
                  WHERE d.event_id = e.id
                    AND d.state = 'parked')""");
        this.failures = templates.list("list the failures, with a list of as many ids", """
                SELECT event_id, listener_id, attempts, state, last_error
                FROM {deliveries}
                WHERE event_id IN ({list})
                  AND state IN ('failed', 'held', 'parked')
                ORDER BY event_id, listener_id
                """, ":ids");
        this.retry = templates.statement("retry", """
                DELETE FROM {deliveries}
                WHERE event_id = :id
                  AND state IN ('failed', 'parked')
                """);
        this.discard = templates.statement("discard an event", "DELETE FROM {events}\nWHERE id = :id");
        this.discardRecords = templates.statement(
                "discard what was recorded about it", "DELETE FROM {deliveries}\nWHERE event_id = :id");
        this.forgetListener = templates.statement(
                "forget a listener", "DELETE FROM {listeners}\nWHERE listener_id = :listener");
        this.forgetLanes =
                templates.statement("forget its lanes", "DELETE FROM {lanes}\nWHERE listener_id = :listener");
        this.nextEvents = templates.statement("read the next events, which are locked then", dialect.firstRows("""
                SELECT id
                FROM {events}
                WHERE id > :id
                ORDER BY id
                """, ":limit"));
        this.forgetEvents = templates.list(
                "remove those that only waited for it, with a list of 1, 10, 100 or 500 ids", """
                        DELETE FROM {events}
                        WHERE id IN ({list})
                          AND EXISTS (
                          SELECT 1
                          FROM {deliveries} d
                          WHERE d.event_id = {events}.id
                            AND d.state = 'done')
                          AND {complete}
                        """, ":ids");
        String forgotten = """
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {listeners} l
                  WHERE l.listener_id = {deliveries}.listener_id)
                """;
        this.forgetRecords = templates.list("forget its deliveries of them, with a list of as many ids", """
                DELETE FROM {deliveries}
                WHERE event_id IN ({list})
                  AND listener_id = :listener
                """ + forgotten, ":ids");
        this.forgetOtherRecords = templates.statement(
                "forget its other deliveries, at the end",
                "DELETE FROM {deliveries}\nWHERE listener_id = :listener\n" + forgotten);
    }

    private static SqlStatement check(SqlTemplates templates, String table) {
        return templates.statement(
                "check the columns of the table of " + table + ", once", "SELECT * FROM {" + table + "} WHERE 1 = 0");
    }

    private static SqlStatement list(String purpose, Dialect dialect, SqlTemplates templates, String condition) {
        return templates.statement(purpose, dialect.firstRows("""
                SELECT e.id, e.event_key, e.event_type, e.payload, {created} AS created
                FROM {events} e
                WHERE e.id > :id%s
                ORDER BY e.id
                """.formatted(condition), ":limit"));
    }
}
