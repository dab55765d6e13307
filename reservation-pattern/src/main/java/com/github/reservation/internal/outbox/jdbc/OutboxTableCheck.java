// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableShape;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/** Checks whether the tables can be an outbox. */
final class OutboxTableCheck {

    private static final String OTHERWISE = "a lease could end early or never";

    private OutboxTableCheck() {}

    /** Throws a {@code MISCONFIGURED} that says what to change, if a table is not fit. */
    static void run(SqlSession session, OutboxStatements statements, SqlTable table)
            throws SQLException, StoreException {
        TableName events = table.name();
        TableShape shape = new TableShape(session, table);
        shape.requireColumns(
                statements.desk.checkEvents,
                List.of("id", "lane", "key_id", "event_key", "event_type", "payload", "created_at"),
                List.of("created_at"),
                OTHERWISE);
        shape.requirePrimaryKey("id", "an event could not be found by its id");
        new TableShape(session, table, OutboxStatements.listeners(events)).requireColumns(
                statements.desk.checkListeners, List.of("listener_id", "event_types"), List.of(), OTHERWISE);
        new TableShape(session, table, OutboxStatements.lanes(events)).requireColumns(
                statements.desk.checkLanes,
                List.of("listener_id", "lane", "owner", "leased_until"),
                List.of("leased_until"),
                OTHERWISE);
        new TableShape(session, table, OutboxStatements.deliveries(events)).requireColumns(
                statements.desk.checkDeliveries,
                List.of("event_id", "listener_id", "key_id", "state", "attempts", "due_at", "owner", "last_error"),
                List.of("due_at"),
                OTHERWISE);
    }
}
