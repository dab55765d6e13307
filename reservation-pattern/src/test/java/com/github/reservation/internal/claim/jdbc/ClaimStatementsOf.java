// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.internal.sql.Dialect;
import java.util.LinkedHashMap;
import java.util.Map;

/** Shows the statements to tests of other packages. */
public final class ClaimStatementsOf {

    private ClaimStatementsOf() {}

    /** Returns the text of each statement by its purpose; those of a caller's transaction where they differ. */
    public static Map<String, String> table(Dialect dialect) {
        ClaimStatements.Sets sets = ClaimStatements.Sets.of(dialect, ClaimSettings.DEFAULT_TABLE);
        Map<String, String> all = new LinkedHashMap<>(sets.own().all());
        sets.callers().all().forEach((purpose, text) -> {
            if (!text.equals(all.get(purpose))) {
                all.put("in a caller's transaction: " + purpose, text);
            }
        });
        return all;
    }
}
