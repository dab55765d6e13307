// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.internal.sql.TableName;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * All statements on the tables of one outbox, for one database. The files in {@code docs/backends/sql} have their full text.
 *
 * <p>Each statement of a look reads as much as it returns, whatever lies in the tables, and whatever the database believes to lie there.
 * So a lane is written as a range, and the order begins with it: one index alone has this order. With {@code =}, a database drops the
 * lane from the order, and may prefer to search the primary key for it.
 *
 * <p>What deletes or moves deliveries by a list of ids also names their range, so that PostgreSQL expects few rows, also of a table that it
 * has never analyzed. And it names the listener in an expression: else the index of lanes could be searched for the ids, and all that waits
 * for the listener be read.
 */
final class OutboxStatements {

    /** In an optional condition, the value for any: no id, type or digest is equal to it. */
    static final String ANY = "*";

    private static final Set<String> PARAMETERS = Set.of(
            "id", "ids", "head", "lane", "first", "last", "lanes", "key", "keys", "keyid", "keyids", "type", "types",
            "payload",
            "payloads", "bytes", "budget", "listener", "listeners", "wanted", "owner", "next", "micros", "state",
            "attempts", "error", "limit");

    /** What appends events. */
    final AppendStatements append;

    /** What delivers the events of lanes. */
    final LaneStatements lanes;

    /** What keys have that have a lane of their own. */
    final KeyStatements keys;

    /** What makes listeners known, and forgets them. */
    final ListenerStatements listeners;

    /** What operators need. */
    final DeskStatements desk;

    private final Map<OutboxTable, SqlStatement> checks = new EnumMap<>(OutboxTable.class);

    /** What made the statements, in the order in which an event needs them. */
    final SqlTemplates templates;

    OutboxStatements(Dialect dialect, TableName events) {
        Map<String, String> fragments = new HashMap<>(Map.ofEntries(
                Map.entry("now", dialect.now()),
                Map.entry("start", dialect.startOfStatement()),
                Map.entry("later", dialect.nowPlus(":micros")),
                Map.entry("epoch", dialect.epoch()),
                Map.entry("due now", "due_at = {now},\n    wait_micros = 0"),
                Map.entry("headless", """
                        NOT EXISTS (
                        SELECT 1
                        FROM {deliveries} d
                        WHERE d.event_id = {keys}.head
                          AND d.listener_id = {keys}.listener_id)"""),
                Map.entry("due", "CASE WHEN :state = 'parked' THEN NULL ELSE {later} END"),
                Map.entry("created", dialect.microsBetween(dialect.epoch(), "e.created_at")),
                Map.entry("relaxed", dialect.relaxedCommit().map(commit -> "RETURNING " + commit).orElse("")),
                Map.entry("insert delivery", """
                        INSERT INTO {deliveries} (event_id, listener_id, lane, key_id, bytes)
                        VALUES (:id, :listener, :lane, :keyid, :bytes)
                        """),
                Map.entry("few", "event_id >= :first\n  AND event_id <= :last\n  AND "
                        + dialect.concat("listener_id", "''") + " = :listener"),
                Map.entry("of listener", "(:listener = '" + ANY + "' OR listener_id = :listener)")));
        for (OutboxTable table : OutboxTable.values()) {
            fragments.put(table.fragment(), table.of(events).name());
        }
        this.templates = new SqlTemplates(fragments, PARAMETERS);
        for (OutboxTable table : OutboxTable.values()) {
            checks.put(table, templates.statement(
                    "check the columns of the table of " + table.fragment() + ", once",
                    "SELECT * FROM {" + table.fragment() + "} WHERE 1 = 0"));
        }
        this.append = new AppendStatements(dialect, templates, events);
        this.lanes = new LaneStatements(dialect, templates);
        this.keys = new KeyStatements(dialect, templates);
        this.listeners = new ListenerStatements(dialect, templates);
        this.desk = new DeskStatements(dialect, templates);
        templates.requireAllUsed();
    }

    /** Returns what reads no row, but which columns a table has. */
    SqlStatement check(OutboxTable table) {
        return Objects.requireNonNull(checks.get(table));
    }
}
