// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.Ddl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The lines on the README's first screen, on an embedded database. */
public final class ReadmeExample {

    private ReadmeExample() {}

    public static void main(String[] args) throws SQLException {
        DataSource dataSource = databaseWithLockTable();
        // @start region="first-screen"
        ReservationManager orders = ReservationManager.jdbc(dataSource).domain("orders").build();
        orders.onLost(lost -> System.err.println("Lost order " + lost.identifier() + ": " + lost.reason()));

        orders.run("42", held -> ship("42", held.fencingToken().getAsLong())); // one node at a time
        // @end
        orders.close();
    }

    private static void ship(String order, long fencingToken) {
        System.out.println("Shipping order " + order + ", fencing token " + fencingToken);
    }

    private static DataSource databaseWithLockTable() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2"));
        }
        return dataSource;
    }
}
