// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlFile;
import java.util.Map;

/** Shows the statements to tests of other packages. */
public final class ClaimStatementsOf {

    private ClaimStatementsOf() {}

    /** Returns the text of each statement by its purpose; those of a caller's transaction where they differ. */
    public static Map<String, String> table(Dialect dialect) {
        ClaimStatements.Sets sets = ClaimStatements.Sets.of(dialect, JdbcClaims.DEFAULT_TABLE);
        Map<String, String> all = SqlFile.textsOf(sets.own().templates);
        SqlFile.textsOf(sets.callers().templates).forEach((purpose, text) -> {
            if (!text.equals(all.get(purpose))) {
                all.put("in a caller's transaction: " + purpose, text);
            }
        });
        return all;
    }
}
