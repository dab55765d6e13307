// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableShape;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/** Checks whether the tables can be an outbox. */
record OutboxTableCheck(SqlSession session, OutboxStatements statements, SqlTable events) {

    private static final List<String> TIMES = List.of("created_at", "due_at", "leased_until", "seen_at");

    /** Throws a {@code MISCONFIGURED} that says what to change, if a table is not fit. */
    void run() throws SQLException, StoreException {
        for (OutboxTable table : OutboxTable.values()) {
            new TableShape(session, events, table.of(events.name())).requireColumns(
                    statements.check(table), table.columns(), TIMES, "a lease could end early or never");
        }
        new TableShape(session, events).requirePrimaryKey("id", "an event could not be found by its id");
    }
}
