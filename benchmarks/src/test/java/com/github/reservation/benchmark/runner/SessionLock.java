// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A lock that belongs to a connection: it needs one for as long as it is held or awaited. */
final class SessionLock implements Key {

    static final Functions PG_ADVISORY_LOCK = new Functions(
            "pg_advisory_lock",
            "SELECT pg_advisory_lock(hashtextextended(?, 0))",
            "SELECT pg_advisory_unlock(hashtextextended(?, 0))");

    static final Functions GET_LOCK =
            new Functions("GET_LOCK", "SELECT GET_LOCK(?, 60)", "SELECT RELEASE_LOCK(?)");

    /** The two functions of a database. */
    record Functions(String name, String take, String giveBack) {}

    private final DataSource pool;
    private final Functions functions;
    private final String name;
    private Connection connection;

    SessionLock(DataSource pool, Functions functions, String name) {
        this.pool = pool;
        this.functions = functions;
        this.name = name;
    }

    @Override
    public void lock() throws SQLException {
        Connection mine = pool.getConnection();
        select(mine, functions.take());
        connection = mine;
    }

    @Override
    public void unlock() throws SQLException {
        try (Connection mine = connection) {
            select(mine, functions.giveBack());
        }
    }

    private void select(Connection mine, String sql) throws SQLException {
        try (PreparedStatement statement = mine.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
            }
        }
    }
}
