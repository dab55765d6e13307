// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The dialects of the supported databases. */
public final class Dialects {

    public static final Dialect POSTGRESQL = new PostgreSqlDialect();
    public static final Dialect MYSQL = MySqlDialect.mySql();
    public static final Dialect MARIADB = MySqlDialect.mariaDb();
    public static final Dialect H2 = new H2Dialect();
    public static final Dialect ORACLE = new OracleDialect();

    private Dialects() {}

    public static List<Dialect> all() {
        return List.of(POSTGRESQL, MYSQL, MARIADB, H2, ORACLE);
    }

    /** Returns the dialect of a database by its name. */
    public static Dialect named(String name) {
        return all().stream().filter(dialect -> dialect.name().equals(name)).findFirst().orElseThrow();
    }

    /** Returns the dialect of the connected database. Drivers know the product without a round trip. */
    public static Dialect of(Connection connection) throws SQLException, StoreException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "MariaDB" -> MARIADB;
            // Also a MariaDB server behind MySQL's driver, which rejects an INSERT that returns rows.
            case "MySQL" -> MYSQL;
            case "H2" -> H2;
            case "Oracle" -> ORACLE;
            default -> throw new StoreException(
                    Kind.MISCONFIGURED,
                    "The database " + product
                            + " is not known; say which of the known ones it is like, on the builder");
        };
    }
}
