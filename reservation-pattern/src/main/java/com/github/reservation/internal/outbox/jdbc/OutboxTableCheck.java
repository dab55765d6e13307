// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableShape;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/** Checks whether the tables can be an outbox. */
final class OutboxTableCheck {

    private OutboxTableCheck() {}

    /** Throws a {@code MISCONFIGURED} that says what to change, if a table is not fit. */
    static void run(SqlSession session, OutboxStatements statements, TableName events)
            throws SQLException, StoreException {
        TableShape shape = check(
                session,
                statements.desk.checkEvents,
                events,
                List.of("id", "lane", "key_id", "event_key", "event_type", "payload", "created_at"),
                List.of("created_at"));
        shape.requirePrimaryKey("id", "an event could not be found by its id");
        check(
                session,
                statements.desk.checkListeners,
                OutboxTables.listeners(events),
                List.of("listener_id", "event_types"),
                List.of());
        check(
                session,
                statements.desk.checkLanes,
                OutboxTables.lanes(events),
                List.of("listener_id", "lane", "owner", "leased_until"),
                List.of("leased_until"));
        check(
                session,
                statements.desk.checkDeliveries,
                OutboxTables.deliveries(events),
                List.of("event_id", "listener_id", "key_id", "state", "attempts", "due_at", "owner", "last_error"),
                List.of("due_at"));
    }

    private static TableShape check(
            SqlSession session, SqlStatement select, TableName table, List<String> columns, List<String> times)
            throws SQLException, StoreException {
        TableShape shape = new TableShape(session, table, OutboxTables.DDL);
        List<String> missing = shape.missing(select, columns, times, "a lease could end early or never");
        if (!missing.isEmpty()) {
            throw shape.refused("lacks " + String.join(", ", missing) + ": give it the columns");
        }
        return shape;
    }
}
