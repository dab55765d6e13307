// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The statements on the tables of an outbox that operators need, and those that check the tables. */
final class DeskStatements {

    /** Counts the events and says how old the oldest is; then counts those that are parked. */
    final SqlStatement backlog;

    final SqlStatement countParked;

    /** Reads the next events; all, or those that are parked. */
    final SqlStatement list;

    final SqlStatement listParked;

    /** By the number of ids: reads the failures of events, and the attempts that are not back. */
    final NavigableMap<Integer, SqlStatement> failures = new TreeMap<>();

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
    final NavigableMap<Integer, SqlStatement> forgetEvents = new TreeMap<>();

    /** By the number of ids: deletes what is recorded about events for a listener, unless it is known again. */
    final NavigableMap<Integer, SqlStatement> forgetRecords = new TreeMap<>();

    /** Deletes what is recorded for such a listener about events that are gone: an instance that still had it may have come late. */
    final SqlStatement forgetOtherRecords;

    /** Read no row, but which columns the tables have. */
    final SqlStatement checkEvents;

    final SqlStatement checkListeners;
    final SqlStatement checkLanes;
    final SqlStatement checkDeliveries;

    DeskStatements(Dialect dialect, SqlTemplates templates) {
        this.backlog = templates.statement("""
                SELECT events, {age} AS age_micros
                FROM (
                SELECT COUNT(*) AS events, MIN(created_at) AS oldest
                FROM {events}
                ) counted
                """, Map.of("age", dialect.microsBetween("oldest", dialect.now())));
        this.countParked = templates.statement("""
                SELECT COUNT(DISTINCT event_id)
                FROM {deliveries}
                WHERE state = 'parked'
                """);
        this.list = list(dialect, templates, "");
        this.listParked = list(dialect, templates, """
                \n  AND EXISTS (
                  SELECT 1
                  FROM {deliveries} d
                  WHERE d.event_id = e.id
                    AND d.state = 'parked')""");
        this.retry = templates.statement("""
                DELETE FROM {deliveries}
                WHERE event_id = :id
                  AND state IN ('failed', 'parked')
                """);
        this.discard = templates.statement("DELETE FROM {events}\nWHERE id = :id");
        this.discardRecords = templates.statement("DELETE FROM {deliveries}\nWHERE event_id = :id");
        this.forgetListener = forget(templates, "listeners");
        this.forgetLanes = forget(templates, "lanes");
        this.nextEvents = templates.statement(dialect.firstRows("""
                SELECT id
                FROM {events}
                WHERE id > :id
                ORDER BY id
                """, ":limit"));
        String forgotten = """
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {listeners} l
                  WHERE l.listener_id = {deliveries}.listener_id)
                """;
        this.forgetOtherRecords =
                templates.statement("DELETE FROM {deliveries}\nWHERE listener_id = :listener\n" + forgotten);
        this.checkEvents = templates.statement("SELECT * FROM {events} WHERE 1 = 0");
        this.checkListeners = templates.statement("SELECT * FROM {listeners} WHERE 1 = 0");
        this.checkLanes = templates.statement("SELECT * FROM {lanes} WHERE 1 = 0");
        this.checkDeliveries = templates.statement("SELECT * FROM {deliveries} WHERE 1 = 0");
        for (int size : OutboxStatements.LIST_SIZES) {
            failures.put(size, templates.statement("""
                    SELECT event_id, listener_id, attempts, state, last_error
                    FROM {deliveries}
                    WHERE event_id IN ({ids})
                      AND state IN ('failed', 'held', 'parked')
                    ORDER BY event_id, listener_id
                    """, Map.of("ids", OutboxStatements.ids(size))));
            forgetEvents.put(size, templates.statement("""
                    DELETE FROM {events}
                    WHERE id IN ({ids})
                      AND EXISTS (
                      SELECT 1
                      FROM {deliveries} d
                      WHERE d.event_id = {events}.id
                        AND d.state = 'done')
                      AND {complete}
                    """, Map.of("ids", OutboxStatements.ids(size))));
            forgetRecords.put(size, templates.statement("""
                    DELETE FROM {deliveries}
                    WHERE event_id IN ({ids})
                      AND listener_id = :listener
                    """ + forgotten, Map.of("ids", OutboxStatements.ids(size))));
        }
    }

    private static SqlStatement forget(SqlTemplates templates, String table) {
        return templates.statement("DELETE FROM {" + table + "}\nWHERE listener_id = :listener");
    }

    private static SqlStatement list(Dialect dialect, SqlTemplates templates, String condition) {
        return templates.statement(dialect.firstRows("""
                SELECT e.id, e.event_key, e.event_type, e.payload, {created} AS created
                FROM {events} e
                WHERE e.id > :id%s
                ORDER BY e.id
                """.formatted(condition), ":limit"));
    }

    /** Returns each statement by its purpose. */
    Map<String, SqlStatement> all() {
        Map<String, SqlStatement> all = new LinkedHashMap<>();
        all.put("check the columns of the table of events, once", checkEvents);
        all.put("check the columns of the table of listeners, once", checkListeners);
        all.put("check the columns of the table of lanes, once", checkLanes);
        all.put("check the columns of the table of deliveries, once", checkDeliveries);
        all.put("count the backlog", backlog);
        all.put("count what is parked", countParked);
        all.put("list what is left", list);
        all.put("list what is parked", listParked);
        all.put("list the failures, with a list of as many ids", OutboxStatements.forList(failures, 1));
        all.put("retry", retry);
        all.put("discard an event", discard);
        all.put("discard what was recorded about it", discardRecords);
        all.put("forget a listener", forgetListener);
        all.put("forget its lanes", forgetLanes);
        all.put("read the next events, which are locked then", nextEvents);
        all.put("remove those that only waited for it, with a list of 1, 10, 100 or 500 ids",
                OutboxStatements.forList(forgetEvents, 1));
        all.put("forget its deliveries of them, with a list of as many ids",
                OutboxStatements.forList(forgetRecords, 1));
        all.put("forget its other deliveries, at the end", forgetOtherRecords);
        return all;
    }
}
