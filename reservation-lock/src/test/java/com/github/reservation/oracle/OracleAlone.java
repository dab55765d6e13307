// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.BackendAlone;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.Ddl;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Locks kept by the default strategy, in a JVM that has H2, dressed as an Oracle, and no other jar. */
public final class OracleAlone {

    private static final String URL = "jdbc:oracle-mode:mem:alone;DB_CLOSE_DELAY=-1";

    private OracleAlone() {}

    public static void main(String[] args) throws SQLException {
        DataSource dataSource = (DataSource) Proxy.newProxyInstance(
                OracleAlone.class.getClassLoader(),
                new Class<?>[]{DataSource.class},
                (proxy, method, arguments) -> DriverManager.getConnection(URL));
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            for (String sql : Ddl.of("oracle").replaceAll("(?m)^--.*$", "").strip().split(";")) {
                statement.execute(sql);
            }
        }
        BackendAlone.use(ReservationManager.oracle(dataSource));
    }
}
