// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.Ticker;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.internal.jdbc.lock.JdbcLeases;
import com.github.reservation.internal.jdbc.lock.JdbcSettings;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.store.LeaseStore;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** A database for the contract: an empty lock table, made from the DDL that users get, and a pool. */
class JdbcBackend extends TestBackend {

    private final HikariDataSource pool;
    private final LeaseStore store;

    /** Installs the DDL of that name, in place of what is there. */
    JdbcBackend(String url, String user, String password, String ddl) {
        this.pool = pool(url, user, password);
        install(pool, ddl);
        this.store = new JdbcLeases(new JdbcSettings(
                pool,
                Optional.empty(),
                new TableName("RESERVATION_LOCKS"),
                Duration.ofSeconds(5),
                false,
                Duration.ofMillis(150),
                Optional.of(Duration.ofDays(1))));
    }

    static HikariDataSource pool(String url, String user, String password) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(8);
        pool.setMinimumIdle(1);
        return pool;
    }

    static void install(DataSource dataSource, String ddl) {
        if (!ddl.equals("oracle")) { // It has no such statement before version 23; a test of one drops the table itself.
            execute(dataSource, "DROP TABLE IF EXISTS RESERVATION_LOCKS");
        }
        execute(dataSource, Ddl.of(ddl));
    }

    static void execute(DataSource dataSource, String script) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : script.replaceAll("(?m)^--.*$", "").split(";")) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        } catch (SQLException e) {
            throw new AssertionError("Could not run " + script, e);
        }
    }

    DataSource dataSource() {
        return pool;
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public Ticker ticker() {
        return Ticker.system();
    }

    @Override
    public void close() {
        pool.close();
    }
}
