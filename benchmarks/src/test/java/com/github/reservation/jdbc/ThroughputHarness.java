// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.harness.Comparison;
import com.github.reservation.harness.Comparison.Cycle;
import com.github.reservation.harness.Comparison.Preparation;
import com.github.reservation.internal.jdbc.lock.JdbcLeases;
import com.github.reservation.internal.jdbc.lock.JdbcSettings;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.oracle.OracleFunctions;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Compares lock and unlock with the least that a lock in a table can cost: two updates of one row by its key that change who
 * holds it and until when, each in autocommit, on the same pool and table. Rounds of both take turns, so that whatever else
 * the machine does hits both; what counts is the ratio.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@throughput}.
 */
public final class ThroughputHarness {

    private static final int ROUNDS = 15;

    private static final int WARM_UP_ROUNDS = 3;

    /** An embedded database is compiled as it runs, for half a minute; the shorter code of the limit is ready sooner. */
    private static final int WARM_UP_ROUNDS_EMBEDDED = 10;

    private static final String TAKE = "UPDATE RESERVATION_LOCKS SET holder = ?,"
            + " expires_at = TIMESTAMP '2026-01-01 00:00:00' WHERE reservation_key = ?";
    private static final String GIVE_BACK = "UPDATE RESERVATION_LOCKS SET holder = ?,"
            + " expires_at = TIMESTAMP '1970-01-01 00:00:00' WHERE reservation_key = ?";

    private ThroughputHarness() {}

    public static void main(String[] args) throws Exception {
        System.out.println(
                "Throughput against two single-row updates: median of " + ROUNDS + " rounds [least..greatest]");
        List<String> only = List.of(args);
        if (only.isEmpty() || only.contains("postgresql")) {
            try (PostgresServer server = PostgresServer.start()) {
                measure("PostgreSQL, durable release", server.url(), server.user(), "postgresql", true);
                measure("PostgreSQL", server.url(), server.user(), "postgresql", false);
            }
        }
        if (only.isEmpty() || only.contains("mariadb")) {
            try (MariaDbServer server = MariaDbServer.start()) {
                measure("MariaDB, its driver's defaults", server.newDatabase().url(), server.user(), "mariadb", false);
                String prepared = server.newDatabase().url() + "?useServerPrepStmts=true";
                measure("MariaDB", prepared, server.user(), "mariadb", false);
            }
        }
        if (only.isEmpty() || only.contains("h2")) {
            measure("H2 in memory", "jdbc:h2:mem:throughput;DB_CLOSE_DELAY=-1", "sa", "h2", false);
        }
        if (only.isEmpty() || only.contains("oracle-mode")) {
            // Not through the driver that dresses it as an Oracle, which would slow down both sides.
            String url = "jdbc:h2:mem:oracle-mode;DB_CLOSE_DELAY=-1;MODE=Oracle";
            try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
                OracleFunctions.install(connection);
            }
            measure("H2 in Oracle mode", url, "sa", "oracle", false);
        }
    }

    private static void measure(String name, String url, String user, String ddl, boolean durable) throws Exception {
        try (HikariDataSource pool = JdbcBackend.pool(url, user, "")) {
            pool.setMaximumPoolSize(16);
            JdbcBackend.install(pool, ddl);
            try (ReservationManager locks = ddl.equals("oracle") ? oracleMode(pool) : manager(pool, durable)) {
                Comparison comparison = new Comparison(ROUNDS);
                Preparation startOver = () -> startOver(pool, locks);
                for (int i = 0; i < (url.startsWith("jdbc:h2:") ? WARM_UP_ROUNDS_EMBEDDED : WARM_UP_ROUNDS); i++) {
                    startOver.run();
                    Comparison.warmUp(1, twoUpdates(pool), insertAndUpdate(pool), sameKey(locks), freshKeys(locks));
                }
                comparison.run(name + ", same key, 1 thread", 1, twoUpdates(pool), sameKey(locks), startOver);
                comparison.run(name + ", fresh keys, 1 thread", 1, insertAndUpdate(pool), freshKeys(locks), startOver);
                comparison.run(name + ", distinct keys, 16 threads", 16, twoUpdates(pool), sameKey(locks), startOver);
            }
        }
    }

    /** Leaves one row for each thread: a table that grows and grows keeps the memory of an embedded database busy. */
    private static void startOver(DataSource pool, ReservationManager locks) throws SQLException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE TABLE RESERVATION_LOCKS");
        }
        for (int i = 0; i < 16; i++) {
            lockAndUnlock(locks, "thread-" + i);
        }
    }

    private static ReservationManager manager(DataSource pool, boolean durable) {
        return ReservationManager.jdbc(pool).domain("throughput").durableRelease(durable).build();
    }

    /**
     * Speaks to H2 as if it were an Oracle, but sets no query timeout: in H2 that is a statement of its own. And it
     * understands the errors of H2.
     */
    private static ReservationManager oracleMode(DataSource pool) {
        Map<Method, Object> fixed = new ConcurrentHashMap<>();
        Dialect onH2 = (Dialect) Proxy.newProxyInstance(
                Dialect.class.getClassLoader(),
                new Class<?>[]{Dialect.class},
                (proxy, method, args) -> args == null
                        ? fixed.computeIfAbsent(method, ThroughputHarness::ofOracle)
                        : method.invoke(args[0] instanceof SQLException ? Dialects.H2 : Dialects.ORACLE, args));
        JdbcSettings settings = new JdbcSettings(
                pool,
                Optional.of(onH2),
                new TableName("RESERVATION_LOCKS"),
                Duration.ofSeconds(5),
                true,
                Duration.ofMillis(250),
                Optional.empty());
        return new StoreReservationManager(
                new JdbcLeases(settings),
                new ManagerSettings(
                        "throughput",
                        Duration.ofMinutes(1),
                        true,
                        Duration.ofMillis(100),
                        Duration.ofSeconds(2),
                        Ticker.system(),
                        Meters.NONE));
    }

    private static Object ofOracle(Method question) {
        try {
            return question.getName().equals("timeLimit") ? Dialect.TimeLimit.NONE : question.invoke(Dialects.ORACLE);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Cycle sameKey(ReservationManager locks) {
        return (thread, number) -> lockAndUnlock(locks, "thread-" + thread);
    }

    private static Cycle freshKeys(ReservationManager locks) {
        return (thread, number) -> lockAndUnlock(locks, "fresh-" + thread + "-" + number);
    }

    private static void lockAndUnlock(ReservationManager locks, String identifier) {
        Reservation reservation = locks.getReservation(identifier);
        reservation.lock();
        reservation.unlock();
    }

    /** Both change the end of the lease, as every lock must: where that has an index, it is part of the limit. */
    static Cycle twoUpdates(DataSource pool) {
        return (thread, number) -> {
            execute(pool, TAKE, "holder-" + number, "throughput::thread-" + thread);
            execute(pool, GIVE_BACK, "nobody", "throughput::thread-" + thread);
        };
    }

    /** The least for a key that is new: its row must be made. */
    private static Cycle insertAndUpdate(DataSource pool) {
        return (thread, number) -> {
            String key = "throughput::limit-" + thread + "-" + number;
            execute(pool, """
                    INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at, fence)
                    VALUES (?, ?, TIMESTAMP '2026-01-01 00:00:00', TIMESTAMP '2026-01-01 00:00:00', 1)""", key,
                    "holder-" + number);
            execute(pool, GIVE_BACK, "nobody", key);
        };
    }

    private static void execute(DataSource pool, String sql, String first, String second) throws Exception {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, first);
            statement.setString(2, second);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("No row: " + first + ", " + second);
            }
        }
    }
}
