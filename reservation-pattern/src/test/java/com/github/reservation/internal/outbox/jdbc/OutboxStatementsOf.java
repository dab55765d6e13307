// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlFile;
import java.util.Map;

/** Shows the statements to tests of other packages. */
public final class OutboxStatementsOf {

    private OutboxStatementsOf() {}

    /** Returns the text of each statement by its purpose. */
    public static Map<String, String> tables(Dialect dialect) {
        return SqlFile.textsOf(new OutboxStatements(dialect, JdbcOutbox.DEFAULT_EVENTS).templates);
    }
}
