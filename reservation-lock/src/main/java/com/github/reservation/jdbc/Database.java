// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Objects;

/** The databases that can contain a lock table. */
public enum Database {
    POSTGRESQL, MYSQL, MARIADB, H2, ORACLE;

    /**
     * Asks a database for its time, by which leases, claims and overdue rows end. If an application computes the ends of its rows from it,
     * the clocks of its machines and their time zones do not matter. One statement on the connection, which is neither committed nor
     * closed. On H2 time stands still inside a transaction.
     *
     * @throws IllegalArgumentException if the connection is to another database than these
     * @throws SQLException if the database failed
     */
    public static Instant now(Connection connection) throws SQLException {
        Dialect dialect = dialectOf(Objects.requireNonNull(connection, "connection must not be null"));
        String sql = "SELECT " + dialect.microsBetween(dialect.epoch(), dialect.now()) + ' ' + dialect.fromNowhere();
        try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return Instant.EPOCH.plus(row.getLong(1), ChronoUnit.MICROS);
        }
    }

    private static Dialect dialectOf(Connection connection) throws SQLException {
        try {
            return Dialects.of(connection);
        } catch (StoreException e) {
            throw new IllegalArgumentException("connection must be to one of " + Arrays.toString(values())
                    + ", but is to " + connection.getMetaData().getDatabaseProductName(), e);
        }
    }

    Dialect dialect() {
        return switch (this) {
            case POSTGRESQL -> Dialects.POSTGRESQL;
            case MYSQL -> Dialects.MYSQL;
            case MARIADB -> Dialects.MARIADB;
            case H2 -> Dialects.H2;
            case ORACLE -> Dialects.ORACLE;
        };
    }
}
