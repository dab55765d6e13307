// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.PostgreSqlListener;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.internal.sql.TableName;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All statements on the tables of one outbox, for one database. The files in {@code docs/backends/sql} have their full text.
 *
 * <p>An event is due for a listener if the database knows that the listener wants its type, the listener has not received it, no
 * event of its key is held by an instance, and none up to itself is parked or waits for its next attempt. Keys are compared by
 * their digests, which are plain hex digits.
 *
 * <p>The list of types in a row begins and ends with a comma, so that a name between commas is found as a whole.
 */
final class OutboxStatements {

    private static final Set<String> PARAMETERS = Set.of(
            "id", "ids", "lane", "keyid", "key", "type", "payload", "listener", "types", "owner", "micros", "state",
            "attempts", "error", "limit", "old", "lanes", "keyids", "keys", "payloads", "names");

    private static final String COLUMNS = "lane, key_id, event_key, event_type, payload, created_at";

    /**
     * Holds for an event whose key does not wait. It judges all events of a key by the same time: else a pause that ends meanwhile would
     * let a later event go first.
     */
    private static final String NOT_WAITING = """
            NOT EXISTS (
              SELECT 1
              FROM {deliveries} b
              WHERE b.listener_id = :listener
                AND b.key_id = e.key_id
                AND b.state IN ('failed', 'held', 'parked')
                AND (b.event_id <= e.id OR b.state = 'held')
                AND (b.state = 'parked' OR b.due_at > {start}))""";

    /** Holds for an event that all listeners that want it have received. */
    private static final String COMPLETE = """
            NOT EXISTS (
              SELECT 1
              FROM {listeners} l
              WHERE {wanted by another}
                AND NOT EXISTS (
                SELECT 1
                FROM {deliveries} d
                WHERE d.event_id = {events}.id
                  AND d.listener_id = l.listener_id
                  AND d.state = 'done'))""";

    /** Holds for a record of an event that is gone. */
    private static final String ORPHAN = """
            NOT EXISTS (
              SELECT 1
              FROM {events} e
              WHERE e.id = {deliveries}.event_id)""";

    /** Inserts one event. */
    final SqlStatement append;

    /** Inserts the events of several arrays, in their order; empty if a parameter cannot be an array. */
    final Optional<SqlStatement> appendArrays;

    /** Notifies the instances that listen, after the commit; empty if the database cannot. */
    final Optional<SqlStatement> announce;

    /**
     * By the number of types: reads the lanes that are free and have an event of them that is due. No row: there is nothing to do. It
     * does not ask the listener's row for its types, so that an index keeps events of other types from making it slow.
     */
    final SqlList dueLanes;

    /** Leases a lane. 0 rows: another instance has it. */
    final SqlStatement take;

    /** Gives a lane back, without waiting for the disk. 0 rows: another instance has it. */
    final SqlStatement release;

    /**
     * Reads the first events of a lane that are due. The size of a page is a part of the text: as a parameter, it makes PostgreSQL plan
     * each execution anew, because a plan for any size looks more expensive.
     */
    final SqlStatement read;

    /**
     * By the number of ids: deletes events that no other listener wants and about which nothing is recorded, without waiting for the
     * disk. Fewer rows: some are left, or gone. It returns the number of rows if it returns anything.
     */
    final SqlList deleteOwn;

    /** By the number of ids: locks events, so that two listeners do not take each other for the one that is missing. */
    final SqlList lock;

    /** By the number of ids: record that a listener has events; first those about which something is recorded. */
    final SqlList updateDone;

    final SqlList insertDone;

    /** By the number of ids: deletes events that all listeners have. */
    final SqlList deleteComplete;

    /** By the number of ids: deletes what is recorded about events that are gone. */
    final SqlList deleteOrphans;

    /** What makes a listener known. */
    final ListenerStatements listeners;

    /** What is recorded about an event that is not delivered. */
    final RecordStatements records;

    /** What is not part of a delivery. */
    final DeskStatements desk;

    /** What made the statements, in the order in which an event needs them. */
    final SqlTemplates templates;

    OutboxStatements(Dialect dialect, TableName events) {
        this.templates = new SqlTemplates(Map.ofEntries(
                Map.entry("events", events.name()),
                Map.entry("listeners", listeners(events).name()),
                Map.entry("lanes", lanes(events).name()),
                Map.entry("deliveries", deliveries(events).name()),
                Map.entry("now", dialect.now()),
                Map.entry("start", dialect.startOfStatement()),
                Map.entry("later", dialect.nowPlus(":micros")),
                Map.entry("created", dialect.microsBetween(dialect.epoch(), "e.created_at")),
                Map.entry("columns", COLUMNS),
                Map.entry("not waiting", NOT_WAITING),
                Map.entry("complete", COMPLETE),
                Map.entry("orphan", ORPHAN),
                Map.entry("wanted", dialect.contains(
                        "(SELECT w.event_types FROM {listeners} w WHERE w.listener_id = :listener)",
                        named(dialect, "e.event_type"))),
                Map.entry("wanted by another",
                        dialect.contains("l.event_types", named(dialect, "{events}.event_type")))),
                PARAMETERS);
        this.append = templates.statement("append one event, in the caller's transaction", """
                INSERT INTO {events} ({columns})
                VALUES (:lane, :keyid, :key, :type, :payload, {now})
                """);
        this.appendArrays = dialect.rowsOf(":lanes", ":keyids", ":keys", ":types", ":payloads")
                .map(rows -> templates.statement("append several events, in the caller's transaction", """
                        INSERT INTO {events} ({columns})
                        SELECT CAST(lane AS INTEGER), key_id, event_key, event_type, payload, {now}
                        FROM {rows} WITH ORDINALITY AS appended (lane, key_id, event_key, event_type, payload, place)
                        ORDER BY place
                        """, Map.of("rows", rows)));
        this.announce = dialect
                .notifyIf(
                        "1 = 1",
                        PostgreSqlListener.everyListener(),
                        "'" + Announcements.ADDRESS + "'",
                        "'" + Announcements.secret(events) + "'")
                .map(notification -> templates.statement(
                        "announce that, at times and only with notifications", "SELECT " + notification));
        this.listeners = new ListenerStatements(templates);
        this.dueLanes =
                templates.list("find the lanes with an event that is due, with a list of 1, 10, 100 or 500 types", """
                SELECT l.lane
                FROM {lanes} l
                WHERE l.listener_id = :listener
                  AND l.leased_until <= {now}
                  AND EXISTS (
                  SELECT 1
                  FROM {events} e
                  WHERE e.lane = l.lane
                    AND e.event_type IN ({list})
                    AND NOT EXISTS (
                    SELECT 1
                    FROM {deliveries} d
                    WHERE d.event_id = e.id
                      AND d.listener_id = :listener
                      AND d.state = 'done')
                    AND {not waiting})
                """, ":names");
        this.take = templates.statement("lease a lane", """
                UPDATE {lanes}
                SET owner = :owner,
                    leased_until = {later}
                WHERE listener_id = :listener
                  AND lane = :lane
                  AND (leased_until <= {now} OR owner = :owner)
                """);
        this.read = templates.statement("read the events of a lane that are due", dialect.firstRows("""
                SELECT e.id, e.key_id, e.event_key, e.event_type, e.payload, {created} AS created,
                    COALESCE(r.attempts, 0) AS attempts
                FROM {events} e
                LEFT JOIN {deliveries} r ON r.event_id = e.id AND r.listener_id = :listener
                WHERE e.lane = :lane
                  AND {wanted}
                  AND COALESCE(r.state, '-') <> 'done'
                  AND {not waiting}
                ORDER BY e.id
                """, String.valueOf(OutboxStore.PAGE)));
        this.deleteOwn =
                templates.list("remove delivered events, with a list of 1, 10, 100 or 500 ids", counted(dialect, """
                DELETE FROM {events}
                WHERE id IN ({list})
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {listeners} l
                  WHERE l.listener_id <> :listener
                    AND {wanted by another})
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {deliveries} d
                  WHERE d.event_id = {events}.id)
                """), ":ids");
        this.release = templates.statement("give a lane back", """
                UPDATE {lanes}
                SET owner = '-',
                    leased_until = {now}
                WHERE listener_id = :listener
                  AND lane = :lane
                  AND owner = :owner
                {relaxed}
                """, Map.of("relaxed", dialect.relaxedCommit().map(commit -> "RETURNING " + commit).orElse("")));
        this.lock = templates.list("if that did not remove all of them, first lock them", """
                SELECT e.id
                FROM {events} e
                WHERE e.id IN ({list})
                ORDER BY e.id
                FOR UPDATE
                """, ":ids");
        this.updateDone = templates.list("then record that the listener has them, if something is recorded", """
                UPDATE {deliveries}
                SET state = 'done'
                WHERE event_id IN ({list})
                  AND listener_id = :listener
                """, ":ids");
        this.insertDone = templates.list("record that the listener has them, if nothing is", """
                INSERT INTO {deliveries} (
                    event_id, listener_id, key_id, state, attempts, due_at, owner, last_error)
                SELECT e.id, :listener, e.key_id, 'done', 0, {now}, '-', '-'
                FROM {events} e
                WHERE e.id IN ({list})
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {deliveries} d
                  WHERE d.event_id = e.id
                    AND d.listener_id = :listener)
                """, ":ids");
        this.deleteComplete = templates.list("remove events that all listeners have", """
                DELETE FROM {events}
                WHERE id IN ({list})
                  AND {complete}
                """, ":ids");
        this.deleteOrphans = templates.list("remove what was recorded about events that are gone", """
                DELETE FROM {deliveries}
                WHERE event_id IN ({list})
                  AND {orphan}
                """, ":ids");
        this.records = new RecordStatements(templates);
        this.desk = new DeskStatements(dialect, templates);
        templates.requireAllUsed();
    }

    /** Returns a name in the form in which a list of names contains it. */
    private static String named(Dialect dialect, String name) {
        return dialect.concat(dialect.concat("','", name), "','");
    }

    /** If the commit need not wait for the disk, one row says so and has the number: a row for each event would cost more. */
    private static String counted(Dialect dialect, String delete) {
        return dialect.relaxedCommit()
                .map(commit -> "WITH gone AS (\n" + delete + "RETURNING id\n)\nSELECT COUNT(*), " + commit
                        + "\nFROM gone")
                .orElse(delete);
    }

    static TableName listeners(TableName events) {
        return new TableName(events + "_LISTENERS");
    }

    static TableName lanes(TableName events) {
        return new TableName(events + "_LANES");
    }

    static TableName deliveries(TableName events) {
        return new TableName(events + "_DELIVERIES");
    }
}
