// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlFile;
import java.util.Map;

/** Shows the statements to tests of other packages. */
public final class StatementsOf {

    private StatementsOf() {}

    /** Returns the text of each statement on the table of the DDL, by its purpose. */
    public static Map<String, String> table(Dialect dialect) {
        return SqlFile.textsOf(new LockStatements(dialect, JdbcSettings.DEFAULT_TABLE, false, true).templates);
    }
}
