// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;

/** Tests of claims in transactions of the caller's own, which writes its users with them. */
abstract class UsersTableTest extends ClaimTest {

    protected DataSource dataSource;

    @BeforeEach
    final void createUsers() throws SQLException {
        dataSource = backend.dataSource().orElseThrow();
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS CLAIM_USERS");
            statement.execute("CREATE TABLE CLAIM_USERS (id VARCHAR(64))");
        }
    }

    protected final Connection begin() throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    protected final Connection begin(int isolation) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        users(connection); // From now on it sees what was committed before.
        return connection;
    }

    protected static void insertUser(Connection connection, String id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO CLAIM_USERS (id) VALUES ('" + id + "')");
        }
    }

    protected static int users(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM CLAIM_USERS")) {
            row.next();
            return row.getInt(1);
        }
    }

    protected final int users() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return users(connection);
        }
    }
}
