// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableShape;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/** Checks whether a table can be a table of claims. Without its primary key, two callers could reserve the same value. */
final class ClaimTableCheck {

    private static final List<String> COLUMNS = List.of(
            "reservation_id", "claim_key", "claim_type", "claim_value", "status", "expires_at", "entity_id",
            "confirmed_at", "released_at", "correlation_id", "token", "version", "created_at", "updated_at");

    private static final List<String> TIMES =
            List.of("expires_at", "confirmed_at", "released_at", "created_at", "updated_at");

    private ClaimTableCheck() {}

    /** Throws a {@code MISCONFIGURED} that says what to change, if the table is not fit. */
    static void run(SqlSession session, ClaimStatements statements, SqlTable table)
            throws SQLException, StoreException {
        TableShape shape = new TableShape(session, table);
        shape.requireColumns(statements.checkColumns, COLUMNS, TIMES, "a claim could end early or never");
        shape.requirePrimaryKey("reservation_id", "two callers could reserve the same value");
    }
}
