// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;

/** Runs a job in a JVM that has nothing but H2, see {@code OptionalDependenciesTest}. */
public final class ExpirationAlone {

    private ExpirationAlone() {}

    public static void main(String[] args) throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:alone;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE holds (id INT PRIMARY KEY, state VARCHAR(9), ends TIMESTAMP(6))");
            statement.execute("INSERT INTO holds VALUES (1, 'HELD', TIMESTAMP '2020-01-01 00:00:00')");
        }
        ApplicationEvents publisher = ApplicationEvents.create();
        publisher.on(Integer.class, id -> System.out.println("expired " + id));
        TableExpirationSource<Integer> holds = TableExpirationSource.builder("holds", row -> row.getInt("id"))
                .dataSource(dataSource)
                .table("holds")
                .key("id")
                .status("state", "HELD", "ENDED")
                .expiresAt("ends")
                .publish(publisher, (id, expiredAt) -> id)
                .build();
        try (ExpirationJob job = ExpirationJob.builder().source(holds).build()) {
            System.out.println("processed " + job.runOnce().processedCount());
        }
    }
}
