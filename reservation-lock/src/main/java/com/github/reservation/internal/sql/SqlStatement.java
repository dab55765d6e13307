// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A statement as it is sent, and the names of its parameters in their order. {@link SqlTemplates} makes it. */
public final class SqlStatement {

    private final String purpose;
    private final String text;
    private final List<String> parameters;

    /** For each parameter: how often its name occurs before it. */
    private final int[] earlier;

    SqlStatement(String purpose, String text, List<String> parameters) {
        this.purpose = purpose;
        this.text = text;
        this.parameters = parameters;
        this.earlier = new int[parameters.size()];
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < earlier.length; i++) {
            earlier[i] = seen.merge(parameters.get(i), 1, Integer::sum) - 1;
        }
    }

    /** Returns what the statement is for, as the files in {@code docs/backends/sql} say it. */
    public String purpose() {
        return purpose;
    }

    /** Returns the text, with a question mark for each parameter. */
    public String text() {
        return text;
    }

    List<String> parameters() {
        return parameters;
    }

    /** Binds the values that the statement names. Of a list, each occurrence of its name gets the next element. */
    public void bind(PreparedStatement statement, Params params) throws SQLException {
        for (int i = 0; i < earlier.length; i++) {
            params.set(statement, i + 1, parameters.get(i), earlier[i]);
        }
    }
}
