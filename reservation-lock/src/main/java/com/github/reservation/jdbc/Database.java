// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

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
        Dialect dialect = dialectOf(connection);
        String sql = "SELECT " + dialect.microsBetween(dialect.epoch(), dialect.now()) + ' ' + dialect.fromNowhere();
        try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return Instant.EPOCH.plus(row.getLong(1), ChronoUnit.MICROS);
        }
    }

    /**
     * Returns the database of a connection, as its driver reports it. So a MariaDB behind MySQL's driver is {@code MYSQL}.
     *
     * @throws IllegalArgumentException if the connection is to another database than these
     * @throws SQLException if the driver does not say
     */
    public static Database of(Connection connection) throws SQLException {
        return valueOf(dialectOf(connection).name().toUpperCase(Locale.ROOT));
    }

    private static Dialect dialectOf(Connection connection) throws SQLException {
        Objects.requireNonNull(connection, "connection must not be null");
        Optional<Dialect> dialect = Dialects.find(connection);
        if (dialect.isEmpty()) {
            throw new IllegalArgumentException("connection must be to one of " + Arrays.toString(values())
                    + ", but is to " + connection.getMetaData().getDatabaseProductName());
        }
        return dialect.get();
    }
}
