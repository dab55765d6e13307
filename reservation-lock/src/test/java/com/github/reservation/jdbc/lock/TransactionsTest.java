// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock and the caller's transaction leave each other alone, whatever the pool's settings. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class TransactionsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        database.execute("DROP TABLE IF EXISTS work; CREATE TABLE work (n INT)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aLockSurvivesTheRollbackOfTheCaller() throws SQLException {
        HikariDataSource pool = database.pool(2);
        Reservation reservation = database.manager(pool, LEASE).getReservation("42");

        try (Connection caller = pool.getConnection()) {
            caller.setAutoCommit(false);
            work(caller);
            reservation.lock();
            assertThat(worked()).as("not committed by us").isEqualTo("0");
            caller.rollback();
        }

        assertThat(worked()).isEqualTo("0");
        assertThat(reservation.isLocked()).isTrue();
        assertThat(database.manager(database.pool(1), LEASE).getReservation("42").tryLock()).isFalse();
        reservation.unlock();
    }

    @Test
    void anUnlockIsNeitherCommitNorRollbackOfTheCaller() throws SQLException {
        HikariDataSource pool = database.pool(2);
        Reservation reservation = database.manager(pool, LEASE).getReservation("42");
        reservation.lock();

        try (Connection caller = pool.getConnection()) {
            caller.setAutoCommit(false);
            work(caller);
            reservation.unlock();
            assertThat(worked()).as("not committed by us").isEqualTo("0");
            assertThat(reservation.isLocked()).as("unlocked before the caller commits").isFalse();

            caller.commit();
            assertThat(worked()).as("not rolled back by us").isEqualTo("1");
        }
    }

    @Test
    void aPoolWithoutAutocommitGetsItsConnectionsBackAsTheyWere() throws SQLException {
        HikariDataSource pool = database.pool(1);
        pool.setAutoCommit(false);
        RecordingDataSource recorded = new RecordingDataSource(pool);
        Reservation reservation = database.manager(recorded.dataSource(), LEASE).getReservation("42");

        reservation.lock();
        assertThat(reservation.isLocked()).isTrue();
        assertThat(database.manager(database.pool(1), LEASE).getReservation("42").tryLock())
                .as("the lock is committed")
                .isFalse();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();

        assertThat(recorded.onConnections()).containsSubsequence(
                "setAutoCommit(true)", "prepareStatement", "setAutoCommit(false)", "close");
        assertThat(recorded.onConnections().stream().filter("setAutoCommit(true)"::equals))
                .hasSameSizeAs(recorded.onConnections().stream().filter("setAutoCommit(false)"::equals).toList());
        assertThat(recorded.open()).isZero();
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.getAutoCommit()).isFalse();
        }
    }

    @Test
    void aConnectionIsGivenBackAsItWas() throws SQLException {
        HikariDataSource pool = database.pool(1);
        List<Object> before = settingsOf(pool);

        Reservation reservation = database.manager(pool, LEASE).getReservation("42");
        reservation.lock();
        reservation.renew();
        reservation.unlock();

        assertThat(settingsOf(pool)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE"})
    void locksAreRightAtEveryIsolationOfThePool(String isolation) throws Exception {
        HikariDataSource pool = database.pool(8);
        pool.setTransactionIsolation(isolation);
        List<ReservationManager> nodes = List.of(impatient(pool), impatient(pool));
        int[] counter = new int[1];

        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                Reservation reservation = nodes.get(thread % 2).getReservation("42");
                ends.add(threads.submit(() -> {
                    for (int round = 0; round < 50; round++) {
                        reservation.lock();
                        counter[0]++;
                        reservation.unlock();
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get(2, TimeUnit.MINUTES);
            }
        }

        assertThat(counter[0]).isEqualTo(400);
    }

    @Test
    void locksAreRightIfMariaDbAssignsAllColumnsAtOnce() throws Exception {
        assumeTrue(kind == Databases.MARIADB, "Only MariaDB has a choice");
        DataSource pool = database.with("sessionVariables=sql_mode='ORACLE'").pool(2);
        Reservation here = impatient(pool).getReservation("42");
        Reservation there = impatient(pool).getReservation("42");
        long fence = 0;

        for (int round = 0; round < 3; round++) {
            assertThat(here.tryLock()).as("round %d", round).isTrue();
            assertThat(here.fencingToken().orElseThrow()).isGreaterThan(fence);
            fence = here.fencingToken().orElseThrow();
            assertThat(there.tryLock()).isFalse();
            assertThat(there.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
            here.unlock();
        }
    }

    /** Asks often, so that there are conflicts in the database. */
    private ReservationManager impatient(DataSource pool) {
        return database.opened(ReservationManager.jdbc(pool)
                .domain("orders")
                .leaseTime(LEASE)
                .pollInterval(Duration.ofMillis(1))
                .maxPollInterval(Duration.ofMillis(2))
                .build());
    }

    private static void work(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO work VALUES (1)");
        }
    }

    private String worked() {
        return database.query("SELECT COUNT(*) FROM work");
    }

    private static List<Object> settingsOf(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            return List.of(
                    connection.getAutoCommit(),
                    connection.getTransactionIsolation(),
                    connection.isReadOnly(),
                    connection.getHoldability(),
                    connection.getNetworkTimeout(),
                    statement.getQueryTimeout());
        }
    }
}
