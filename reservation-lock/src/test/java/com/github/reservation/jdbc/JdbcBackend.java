// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.jdbc.server.LentDatabase;
import com.github.reservation.store.LeaseStore;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A database for the contract: an empty lock table, made from the DDL that users get, and a pool. */
public class JdbcBackend extends TestBackend {

    private final HikariDataSource pool;
    private final LeaseStore store;
    private final List<HikariDataSource> otherPools = new ArrayList<>();
    private boolean hasFourColumns;

    /** Installs the DDL of that name, in place of what is there. */
    JdbcBackend(String url, String user, String password, String ddl) {
        this.pool = pool(url, user, password);
        install(pool, ddl);
        this.store = new JdbcLeaseStore(new JdbcSettings(
                new SqlTable(pool, Optional.empty(), new TableName("RESERVATION_LOCKS"), Duration.ofSeconds(5), ""),
                false,
                Duration.ofSeconds(1),
                Optional.of(Duration.ofDays(1))));
    }

    /** Makes a backend of a database that the server lends for one test. */
    static JdbcBackend on(DatabaseServer server, String ddl) {
        return on(server, ddl, UnaryOperator.identity());
    }

    /** Makes a backend of a database that the server lends for one test, and reaches it through another URL. */
    static JdbcBackend on(DatabaseServer server, String ddl, UnaryOperator<String> url) {
        LentDatabase lent = new LentDatabase(server);
        var database = lent.database();
        return new JdbcBackend(url.apply(database.url()), database.user(), database.password(), ddl) {
            @Override
            public void close() {
                super.close();
                lent.close();
            }
        };
    }

    /** Drops the columns that the original table did not have. */
    JdbcBackend withFourColumns() {
        hasFourColumns = true;
        for (String column : List.of("fence", "waiters", "reserved_until")) {
            execute(pool, "ALTER TABLE RESERVATION_LOCKS DROP COLUMN " + column);
        }
        return this;
    }

    public static HikariDataSource pool(String url, String user, String password) {
        if (url.startsWith("jdbc:h2:")) {
            Backend.H2.require();
        } else if (url.startsWith("jdbc:oracle-mode:")) {
            Backend.ORACLE_MODE.require();
        }
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(8);
        pool.setMinimumIdle(1);
        return pool;
    }

    public static void install(DataSource dataSource, String ddl) {
        if (!ddl.equals("oracle")) { // It has no such statement before version 23; a test of one drops the table itself.
            execute(dataSource, "DROP TABLE IF EXISTS RESERVATION_LOCKS");
        }
        execute(dataSource, Ddl.of(ddl));
    }

    public static void execute(DataSource dataSource, String script) {
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

    HikariDataSource pool() {
        return pool;
    }

    DataSource dataSource() {
        return pool;
    }

    /** Returns another pool for the same database, which is closed with this backend. */
    DataSource newPool(int size) {
        HikariDataSource another = pool(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
        another.setMaximumPoolSize(size);
        otherPools.add(another);
        return another;
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
    public ReservationManager manager(String domain, Duration leaseTime) {
        return ReservationManager.jdbc(pool).domain(domain).leaseTime(leaseTime).build();
    }

    @Override
    public boolean hasFencing() {
        return !hasFourColumns;
    }

    @Override
    public boolean takesLeasesOfAnyLength() {
        return false;
    }

    @Override
    public boolean passesKeys() {
        return !hasFourColumns;
    }

    @Override
    public boolean isFairBetweenNodes() {
        return !hasFourColumns;
    }

    @Override
    public boolean aNodeMayStay() {
        return true;
    }

    /** H2 catches and ignores an interrupt while it waits for a row or a page; nobody outside can notice. */
    @Override
    public boolean swallowsInterrupts() {
        return pool.getJdbcUrl().matches("jdbc:(h2|oracle-mode):.*");
    }

    @Override
    public int roundsPerThread() {
        return 50;
    }

    @Override
    public int racingRounds() {
        return Integer.getInteger("races", 500);
    }

    @Override
    public Duration stormDuration() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void close() {
        otherPools.forEach(HikariDataSource::close);
        pool.close();
    }
}
