// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The dialects of the supported databases. */
public final class Dialects {

    public static final Dialect POSTGRESQL = new PostgreSqlDialect();
    public static final Dialect MYSQL = MySqlDialect.mySql();
    public static final Dialect MARIADB = MySqlDialect.mariaDb();
    public static final Dialect H2 = new H2Dialect();
    public static final Dialect ORACLE = new OracleDialect();

    private static final List<Dialect> ALL = List.of(POSTGRESQL, MYSQL, MARIADB, H2, ORACLE);

    private Dialects() {}

    public static List<Dialect> all() {
        return ALL;
    }

    /** Returns the dialect of a database by its name, in lower or upper case. */
    public static Dialect named(String name) {
        return ALL.stream().filter(dialect -> dialect.name().equalsIgnoreCase(name)).findFirst().orElseThrow();
    }

    /** Returns the dialect of the connected database; empty if it is none of these. Drivers know the product without a round trip. */
    public static Optional<Dialect> find(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return ALL.stream().filter(dialect -> dialect.product().equals(product)).findFirst();
    }

    /** Returns the dialect of the connected database. */
    public static Dialect of(Connection connection) throws SQLException, StoreException {
        Optional<Dialect> found = find(connection);
        if (found.isEmpty()) {
            throw new StoreException(
                    Kind.MISCONFIGURED,
                    "The database " + connection.getMetaData().getDatabaseProductName()
                            + " is not known; say which of the known ones it is like, on the builder");
        }
        return found.get();
    }
}
