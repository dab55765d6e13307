// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.sql.Dialect;

/** Lets tests of other packages see the statements. */
public final class StatementsOf {

    private StatementsOf() {}

    /** Returns the statements for the table of the DDL. */
    public static LockStatements table(Dialect dialect) {
        return new LockStatements(dialect, JdbcSettings.DEFAULT_TABLE, false, true);
    }
}
