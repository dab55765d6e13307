// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.jdbc.JdbcBackend;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Reads what is in tables when a run is over, and drops those of an outbox. */
public final class Tables {

    private Tables() {}

    /** Drops the tables of an outbox, if they are there. */
    public static void dropOutbox(DataSource dataSource, String events) {
        for (String table : List.of("", "_DELIVERIES", "_KEYS", "_LANES", "_LISTENERS")) {
            JdbcBackend.execute(dataSource, "DROP TABLE IF EXISTS " + events + table);
        }
    }

    /** Returns the rows of a query, each as texts; a number is written as it is. */
    public static List<List<String>> query(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<List<String>> rows = new ArrayList<>();
            int columns = found.getMetaData().getColumnCount();
            while (found.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    row.add(String.valueOf(found.getString(column)));
                }
                rows.add(row);
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException("Could not run " + sql, e);
        }
    }

    /** Returns the only number of a query. */
    public static long number(DataSource dataSource, String sql) {
        return Long.parseLong(query(dataSource, sql).getFirst().getFirst());
    }
}
