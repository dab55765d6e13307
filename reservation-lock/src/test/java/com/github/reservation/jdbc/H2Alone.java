// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.BackendAlone;
import com.github.reservation.ReservationManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;

/** Locks in a database, in a JVM that has H2 and no other jar. */
public final class H2Alone {

    private H2Alone() {}

    public static void main(String[] args) throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:alone;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2"));
        }
        BackendAlone.use(ReservationManager.jdbc(dataSource));
    }
}
