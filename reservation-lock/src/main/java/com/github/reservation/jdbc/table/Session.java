// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A connection for one operation, and how to talk on it. */
record Session(Connection connection, Dialect dialect, Statements statements, int timeoutSeconds) {

    private static final String[] FENCE = {"FENCE"};

    PreparedStatement prepare(String sql) throws SQLException {
        return limited(connection.prepareStatement(sql));
    }

    /** Prepares a statement that tells the fence as its generated key, if there are fences. */
    PreparedStatement prepareWithFence(String sql) throws SQLException {
        return statements.fenced() ? limited(connection.prepareStatement(sql, FENCE)) : prepare(sql);
    }

    private PreparedStatement limited(PreparedStatement statement) throws SQLException {
        if (dialect.limitsStatements()) {
            statement.setQueryTimeout(timeoutSeconds);
        }
        return statement;
    }
}
