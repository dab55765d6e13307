// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * A statement as it is sent, and the names of its parameters in their order.
 *
 * @param text with a question mark for each parameter
 */
public record SqlStatement(String text, List<String> parameters) {

    /** The values of one execution. A statement binds those that it names. */
    @FunctionalInterface
    public interface Values {
        void set(PreparedStatement statement, int index, String parameter) throws SQLException;
    }

    public void bind(PreparedStatement statement, Values values) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            values.set(statement, i + 1, parameters.get(i));
        }
    }
}
