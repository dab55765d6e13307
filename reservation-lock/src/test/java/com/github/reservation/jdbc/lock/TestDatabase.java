// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import com.github.reservation.ReservationManager;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.jdbc.Ddl;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** One of the {@link Databases}, where it is and how to get at it; what was opened through it is closed with it. */
public final class TestDatabase implements AutoCloseable {

    private final Databases kind;
    private final String url;
    private final String user;
    private final String password;
    private final List<AutoCloseable> opened = new ArrayList<>();

    public TestDatabase(Databases kind, String url, String user, String password) {
        this.kind = kind;
        this.url = url;
        this.user = user;
        this.password = password;
    }

    public Databases kind() {
        return kind;
    }

    String url() {
        return url;
    }

    /** Returns the same database, reached with parameters of the driver. */
    public TestDatabase with(String parameters) {
        return new TestDatabase(kind, url + (kind.isH2() ? ";" : "?") + parameters, user, password);
    }

    /** Returns the same database at another URL. */
    TestDatabase at(String otherUrl) {
        return new TestDatabase(kind, otherUrl, user, password);
    }

    /** Has something closed with the database, after all that was opened later. */
    TestDatabase closing(AutoCloseable resource) {
        opened.add(resource);
        return this;
    }

    /** Returns the same database for another user. */
    TestDatabase as(String otherUser) {
        return new TestDatabase(kind, url.replace(";DB_CLOSE_DELAY=-1", ""), otherUser, "secret");
    }

    /** Returns a pool of at most so many connections; it can still be changed until it is used. */
    public HikariDataSource pool(int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(1);
        opened.add(pool);
        return pool;
    }

    /** Returns a manager of the domain {@code orders}. */
    ReservationManager manager(DataSource dataSource, Duration leaseTime) {
        return opened(ReservationManager.jdbc(dataSource).domain("orders").leaseTime(leaseTime).build());
    }

    /** Has the manager closed with the database. */
    ReservationManager opened(ReservationManager manager) {
        closing(manager);
        return manager;
    }

    /** Returns the leases in the lock table, without a manager. */
    static JdbcLeaseStore leases(DataSource dataSource, Optional<Duration> purgeAfter) {
        return new JdbcLeaseStore(new JdbcSettings(
                new SqlTable(dataSource, Optional.empty(), new TableName("RESERVATION_LOCKS"), Duration.ofSeconds(5),
                        ""),
                false,
                Duration.ofMillis(150),
                purgeAfter));
    }

    /** Makes the lock table anew, from the DDL that users get. */
    void install() {
        execute("DROP TABLE IF EXISTS RESERVATION_LOCKS");
        execute(Ddl.of(kind.ddl()));
    }

    /** Runs the statements of a script. */
    public void execute(String script) {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
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
    public String query(String sql) {
        try (Connection connection = connect()) {
            return query(connection, sql);
        } catch (SQLException e) {
            throw new AssertionError("Could not run " + sql, e);
        }
    }

    /** Moves a time in all rows of a table, as if the clock of the database had been set. */
    public void shift(String table, String column, Duration by) {
        long seconds = by.toSeconds();
        String time = kind.isMySql()
                ? column + " + INTERVAL " + seconds + " SECOND"
                : kind.isH2()
                        ? "DATEADD(SECOND, " + seconds + ", " + column + ")"
                        : column + " + INTERVAL '" + seconds + " seconds'";
        execute("UPDATE " + table + " SET " + column + " = " + time);
    }

    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Opens a connection of the test's own. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    /** Closes managers and pools, the last one first. */
    @Override
    public void close() {
        for (AutoCloseable resource : opened.reversed()) {
            try {
                resource.close();
            } catch (Exception e) {
                throw new AssertionError("Could not close " + resource, e);
            }
        }
        opened.clear();
    }
}
