// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableShape;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/**
 * Checks whether a table can be a lock table. A table that is almost as in the DDL would work, and at times grant a key twice.
 */
final class TableCheck {

    /** Equal to {@code a} in every collation that follows the rules of a language. */
    private static final String IGNORED_BY_LANGUAGES = "a\u0001";

    private static final List<String> COLUMNS = List.of(
            "reservation_key", "holder", "acquired_at", "expires_at", "fence", "waiters", "reserved_until");

    /** The columns that the migration adds. */
    private static final List<String> ADDED = COLUMNS.subList(4, 7);

    private static final List<String> TIMES = List.of("acquired_at", "expires_at");

    private final SqlSession session;
    private final LockStatements statements;
    private final TableShape shape;

    TableCheck(SqlSession session, LockStatements statements, SqlTable table) {
        this.session = session;
        this.statements = statements;
        this.shape = new TableShape(session, table);
    }

    /** Throws a {@code MISCONFIGURED} that says what to change, if the table lacks a column or is not fit otherwise. */
    void requireAllColumns() throws SQLException, StoreException {
        requireNone(missing());
    }

    /**
     * Returns whether the table lacks all columns that the migration adds, and is fit otherwise. A table that has some of them is
     * between two statements of the migration, or was made by hand.
     *
     * @throws StoreException a {@code MISCONFIGURED} that says what to change, if the table has some of them or is not fit
     */
    boolean findsFourColumns() throws SQLException, StoreException {
        List<String> missing = missing();
        if (missing.equals(ADDED)) {
            return true;
        }
        requireNone(missing);
        return false;
    }

    private List<String> missing() throws SQLException, StoreException {
        requireExactKeys();
        shape.requirePrimaryKey("reservation_key", "two nodes could hold the same key");
        return shape.missing(statements.checkColumns, COLUMNS, TIMES, "a lease could end early or never");
    }

    private void requireExactKeys() throws SQLException, StoreException {
        Params params = Params.of("key", IGNORED_BY_LANGUAGES);
        if (session.query(statements.checkKeys, params, row -> row.getLong(1)).getFirst() > 0) {
            throw shape.refused("takes different keys for equal (upper and lower case, accents, blanks at the end, or"
                    + " characters that its character set lacks): give reservation_key and holder the collation");
        }
    }

    private void requireNone(List<String> missing) throws StoreException {
        if (missing.isEmpty()) {
            return;
        }
        throw ADDED.containsAll(missing)
                ? shape.misconfigured("lacks " + String.join(", ", missing) + ". The command "
                        + session.dialect().printCommand() + "-migration prints how to add what is missing")
                : shape.lacks(missing);
    }
}
