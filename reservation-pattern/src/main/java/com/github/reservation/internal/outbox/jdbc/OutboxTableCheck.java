// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableShape;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/** Checks whether the tables can be an outbox. */
record OutboxTableCheck(SqlSession session, OutboxStatements statements, SqlTable table) {

    private static final List<String> TIMES = List.of("created_at", "due_at", "leased_until", "seen_at");

    /** Throws a {@code MISCONFIGURED} that says what to change, if a table is not fit. */
    void run() throws SQLException, StoreException {
        TableName events = table.name();
        check(events, statements.checkEvents, "id", "event_key", "event_type", "payload", "created_at");
        new TableShape(session, table).requirePrimaryKey("id", "an event could not be found by its id");
        check(OutboxStatements.deliveries(events), statements.checkDeliveries,
                "event_id", "listener_id", "lane", "key_id", "bytes");
        check(OutboxStatements.keys(events), statements.checkKeys,
                "listener_id", "key_id", "lane", "head", "attempts", "owner", "due_at", "wait_micros", "last_error");
        check(OutboxStatements.lanes(events), statements.checkLanes,
                "listener_id", "lane", "owner", "leased_until", "lease_micros");
        check(OutboxStatements.listeners(events), statements.checkListeners, "event_type", "listener_id", "seen_at");
    }

    private void check(TableName name, SqlStatement select, String... columns) throws SQLException, StoreException {
        new TableShape(session, table, name)
                .requireColumns(select, List.of(columns), TIMES, "a lease could end early or never");
    }
}
