// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.Database;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No time zone and no difference between clocks makes a lease longer or shorter. */
class TimeTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration SHORT_LEASE = Duration.ofMillis(400);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(Databases.class)
    void zonesOfJvmSessionAndServerDoNotMatter(Databases kind) throws InterruptedException {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
        try (TestDatabase database = kind.openNew(directory)) {
            database.install();
            setServerZone(database);
            HikariDataSource farEast = inZone(database, "Asia/Kolkata", "+05:30");
            HikariDataSource farWest = inZone(database, "Pacific/Honolulu", "-10:00");

            assertLastsItsTime(database, farEast, farWest, Instant.now());
            assertLastsItsTime(database, farWest, farEast, Instant.now());
        } finally {
            TimeZone.setDefault(before);
            if (kind.isMySql()) {
                try (TestDatabase database = kind.openNew(directory)) {
                    database.execute("SET GLOBAL time_zone = 'SYSTEM'");
                }
            }
        }
    }

    /** At these moments, clocks in New York are about to skip an hour, and to repeat one. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-03-08T06:59:59.600Z", "2026-11-01T05:59:59.600Z"})
    void aLeaseOverAChangeOfTheClocksLastsItsTime(String moment) throws InterruptedException {
        Instant now = Instant.parse(moment);
        Duration difference = Duration.between(Instant.now(), now);
        try (TestDatabase database = ShiftedClock.postgreSql(directory, difference)) {
            HikariDataSource newYork = inZone(database, "America/New_York", "");
            HikariDataSource utc = inZone(database, "UTC", "");

            assertLastsItsTime(database, newYork, utc, now);
            assertLastsItsTime(database, utc, newYork, now);
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, 1", "POSTGRESQL, -1", "MARIADB, 1", "MARIADB, -1", "MYSQL, 1", "MYSQL, -1"})
    void theClockOfTheServerCounts(Databases kind, int hours) throws InterruptedException {
        Duration difference = Duration.ofHours(hours);
        if (kind == Databases.POSTGRESQL) {
            try (TestDatabase database = ShiftedClock.postgreSql(directory, difference)) {
                assertLastsItsTime(database, database.pool(2), database.pool(2), Instant.now().plus(difference));
            }
        } else {
            try (TestDatabase database = kind.open(directory)) {
                assertLastsItsTime(
                        database,
                        withClock(database.pool(2), difference),
                        withClock(database.pool(2), difference),
                        Instant.now().plus(difference));
            }
        }
    }

    private static void assertLastsItsTime(TestDatabase database, DataSource one, DataSource other, Instant serverTime)
            throws InterruptedException {
        ReservationManager here = database.manager(one, LEASE);
        ReservationManager there = database.manager(other, LEASE);
        assertIsSeen(database, here, there, serverTime);
        assertThat(now(one)).isCloseTo(serverTime, within(1, ChronoUnit.MINUTES));
        assertThat(now(other)).isCloseTo(serverTime, within(1, ChronoUnit.MINUTES));
        assertEnds(here.getReservation("43"), there.getReservation("43"));
    }

    private static Instant now(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return Database.now(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A lease is not born expired, and both nodes see the same of it. */
    private static void assertIsSeen(
            TestDatabase database, ReservationManager here, ReservationManager there, Instant serverTime) {
        Reservation held = here.getReservation("42");
        Reservation awaited = there.getReservation("42");
        held.lock();

        assertThat(awaited.tryLock()).as("two nodes exclude each other").isFalse();
        assertThat(awaited.getRemainingLeaseTime()).isBetween(LEASE.minusSeconds(30), LEASE);
        assertRow(database);
        ReservationInfo info = there.listReservations().getFirst();
        assertThat(info.since()).isCloseTo(serverTime, within(30, ChronoUnit.SECONDS));
        assertThat(info.remaining()).isBetween(LEASE.minusSeconds(30), LEASE);

        held.unlock();
        assertThat(awaited.tryLock()).isTrue();
        awaited.unlock();
    }

    /** A lease that nobody releases ends when its time is over, not earlier and not an hour later. */
    private static void assertEnds(Reservation held, Reservation awaited) throws InterruptedException {
        long start = System.nanoTime();
        assertThat(held.tryLock(Duration.ofSeconds(30), SHORT_LEASE)).isTrue();

        assertThat(awaited.tryLock(30, TimeUnit.SECONDS)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT_LEASE);
        awaited.unlock();
    }

    /** The row says how long the lease is; PostgreSQL looks at its clock for each of the two times. */
    private static void assertRow(TestDatabase database) {
        String micros = switch (database.kind()) {
            case POSTGRESQL -> "CAST(EXTRACT(EPOCH FROM expires_at - acquired_at) * 1000000 AS BIGINT)";
            case MARIADB, MYSQL -> "TIMESTAMPDIFF(MICROSECOND, acquired_at, expires_at)";
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> "DATEDIFF(MICROSECOND, acquired_at, expires_at)";
        };
        long found = Long.parseLong(
                database.query("SELECT " + micros + " FROM RESERVATION_LOCKS WHERE reservation_key = 'orders::42'"));
        if (database.kind() == Databases.POSTGRESQL) {
            assertThat(found).isBetween(LEASE.toNanos() / 1_000, LEASE.plusSeconds(5).toNanos() / 1_000);
        } else {
            assertThat(found).isEqualTo(LEASE.toNanos() / 1_000);
        }
    }

    private static void setServerZone(TestDatabase database) {
        switch (database.kind()) {
            case POSTGRESQL -> {
                String name = database.query("SELECT current_database()");
                database.execute("ALTER DATABASE " + name + " SET timezone = 'America/Los_Angeles'");
            }
            case MARIADB, MYSQL -> database.execute("SET GLOBAL time_zone = '-08:00'");
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> {
                // It has the JVM's.
            }
        }
    }

    private static HikariDataSource inZone(TestDatabase database, String zone, String offset) {
        HikariDataSource pool = database.pool(2);
        pool.setConnectionInitSql(
                database.kind().isMySql() ? "SET time_zone = '" + offset + "'" : "SET TIME ZONE '" + zone + "'");
        return pool;
    }

    /** Returns a MariaDB or MySQL whose clock differs from ours. It stands still in a session, so each connection sets it anew. */
    private static DataSource withClock(DataSource dataSource, Duration difference) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[]{DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(dataSource, arguments);
                        if (result instanceof Connection connection) {
                            setClock(connection, difference);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void setClock(Connection connection, Duration difference) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET timestamp = UNIX_TIMESTAMP(SYSDATE(6)) + " + difference.toSeconds());
        }
        String seen = TestDatabase.query(connection, "SELECT TIMESTAMPDIFF(SECOND, SYSDATE(), NOW())");
        assertThat(Duration.ofSeconds(Long.parseLong(seen))).isCloseTo(difference, Duration.ofSeconds(1));
    }
}
