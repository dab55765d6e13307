// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.contract.Backend;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.jdbc.Ddl;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;

/** H2 dressed as an Oracle, with an empty lock table; see {@code OracleModeDriver}. */
final class OracleModeDatabase implements AutoCloseable {

    private final HikariDataSource pool = new HikariDataSource();

    OracleModeDatabase() {
        Backend.ORACLE_MODE.require();
        pool.setJdbcUrl("jdbc:oracle-mode:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        pool.setUsername("sa");
        pool.setPassword("");
        pool.setMaximumPoolSize(8);
        pool.setMinimumIdle(1);
        install("RESERVATION_LOCKS");
    }

    /** Makes a lock table of that name. */
    void install(String table) {
        execute(Ddl.of("oracle").replaceAll("(?i)RESERVATION_LOCKS", table));
    }

    HikariDataSource dataSource() {
        return pool;
    }

    /** Returns the store of the default strategy. */
    static JdbcLeaseStore leases(DataSource dataSource) {
        return new JdbcLeaseStore(
                new TableBasedLockingStrategy(dataSource, "RESERVATION_LOCKS").settings(Duration.ofSeconds(2)));
    }

    void execute(String script) {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            for (String sql : script.replaceAll("(?m)^--.*$", "").split(";")) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        } catch (SQLException e) {
            throw new AssertionError("Could not run " + script, e);
        }
    }

    /** Returns the first column of the first row. */
    String query(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new AssertionError("Could not run " + sql, e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
