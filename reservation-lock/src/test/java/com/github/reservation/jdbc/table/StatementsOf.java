// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

/** Lets tests of other packages see the statements. */
public final class StatementsOf {

    private StatementsOf() {}

    /** Returns the statements for the table of the DDL. */
    public static Statements table(Dialect dialect) {
        return new Statements(dialect, new TableName("RESERVATION_LOCKS"), false, true);
    }
}
