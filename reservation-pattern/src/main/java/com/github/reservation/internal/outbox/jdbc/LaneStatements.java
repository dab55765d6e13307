// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.Map;
import java.util.Optional;

/** The statements that deliver the events of lanes. */
final class LaneStatements {

    /** Reads the lane of the first delivery in a range of lanes. No row: there is none. */
    final SqlStatement first;

    /**
     * Leases a shared lane. 0 rows: another worker has it. On some databases, the time of a statement that waited for the row is that of its
     * start. So a lease that somebody began meanwhile ends later than a lease time from then, but not later than two.
     */
    final SqlStatement take;

    /** Locks a shared lane. No row: another worker has taken it. As long as nobody has, a lease that is over counts. */
    final SqlStatement lock;

    /** Gives a shared lane back, without waiting for the disk. 0 rows: another worker has it. */
    final SqlStatement release;

    /**
     * Reads the first events of a lane within the budget, and whether their keys have another lane: those without payloads. The
     * size of a page is a part of the text: as a parameter, it makes PostgreSQL plan each execution anew, because a plan for any size looks
     * more expensive.
     */
    final SqlStatement read;

    /**
     * By the number of ids: deletes deliveries, and the events for which nobody else waits, without waiting for the disk; returns how many
     * events. Of two listeners at once, each may take the other for one that waits. Empty if the database needs several statements.
     */
    final Optional<SqlList> complete;

    /**
     * Deletes a delivery. With a list, MySQL may read all of a small table, even if told to use the primary key, and then waits for each
     * append that is not committed.
     */
    final SqlStatement removeDelivery;

    /** By the number of ids: reads for which events there is a delivery. */
    final SqlList waiting;

    /** Deletes an event; one, for the same reason. */
    final SqlStatement removeEvent;

    /** By the number of ids: moves deliveries to the lanes of their keys, which are locked, and are all there. */
    final SqlList move;

    LaneStatements(Dialect dialect, SqlTemplates templates) {
        this.first = templates.statement("find the next lane with a delivery", dialect.firstRows("""
                SELECT lane
                FROM {deliveries}
                WHERE listener_id = :listener
                  AND lane >= :lane
                  AND lane <= :last
                ORDER BY lane, event_id
                """, "1"));
        this.take = templates.statement("lease a shared lane", """
                UPDATE {lanes}
                SET owner = :owner,
                    leased_until = {later},
                    lease_micros = :micros
                WHERE listener_id = :listener
                  AND lane = :lane
                  AND (owner IN ('-', :owner) OR leased_until <= {now} OR leased_until > {own end})
                """, Map.of("own end", dialect.nowPlus("2 * lease_micros")));
        this.read = templates.statement("read the first events of a lane", """
                SELECT d.event_id, d.key_id, d.found, d.elsewhere, e.event_key, e.event_type, e.payload, {created} AS created
                FROM (
                SELECT event_id, key_id, bytes, SUM(bytes) OVER (ORDER BY event_id ROWS UNBOUNDED PRECEDING) AS upto,
                    COUNT(*) OVER () AS found, (
                  SELECT 1
                  FROM {keys} k
                  WHERE k.listener_id = :listener
                    AND k.key_id = page.key_id
                    AND k.lane <> :lane) AS elsewhere
                FROM (
                {page}
                ) page
                ) d
                LEFT JOIN {events} e ON e.id = d.event_id
                  AND d.elsewhere IS NULL
                WHERE d.upto <= :budget OR d.upto = d.bytes
                ORDER BY d.event_id
                """, Map.of("page", dialect.firstRows("""
                SELECT event_id, key_id, bytes
                FROM {deliveries}
                WHERE listener_id = :listener
                  AND lane >= :lane
                  AND lane <= :lane
                ORDER BY lane, event_id
                """, String.valueOf(OutboxStore.PAGE))));
        this.complete = dialect.relaxedCommit().map(relaxed -> templates.list(
                "remove delivered events, with a list of 1, 10, 100 or 500 ids", """
                WITH received AS (
                DELETE FROM {deliveries}
                WHERE event_id IN ({list})
                  AND {few}
                RETURNING event_id
                ), gone AS (
                DELETE FROM {events}
                WHERE id IN (SELECT event_id FROM received)
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {deliveries} d
                  WHERE d.event_id = {events}.id
                    AND d.listener_id <> :listener)
                RETURNING id
                )
                SELECT COUNT(*), %s
                FROM gone
                """.formatted(relaxed), ":ids"));
        this.removeDelivery = templates.statement(
                "remove each delivery",
                "DELETE FROM {deliveries}\nWHERE event_id = :id\n  AND listener_id = :listener");
        this.waiting = templates.list("then read which events somebody waits for, with a list of 1, 10, 100 or 500 ids", """
                SELECT DISTINCT event_id
                FROM {deliveries}
                WHERE event_id IN ({list})
                """, ":ids");
        this.removeEvent =
                templates.statement("then remove each of the others", "DELETE FROM {events}\nWHERE id = :id");
        this.release = templates.statement("give a shared lane back", """
                UPDATE {lanes}
                SET owner = '-'
                WHERE listener_id = :listener
                  AND lane = :lane
                  AND owner = :owner
                {relaxed}
                """);
        this.lock = templates.statement("give a key its own lane: lock the shared lane", """
                SELECT lane
                FROM {lanes}
                WHERE listener_id = :listener
                  AND lane = :lane
                  AND owner = :owner
                FOR UPDATE
                """);
        this.move = templates.list("move deliveries to the lanes of their keys, with a list of as many ids", """
                UPDATE {deliveries}
                SET lane = (
                  SELECT k.lane
                  FROM {keys} k
                  WHERE k.listener_id = {deliveries}.listener_id
                    AND k.key_id = {deliveries}.key_id)
                WHERE event_id IN ({list})
                  AND {few}
                """, ":ids");
    }
}
