// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.oracle.LockingException;
import com.github.reservation.oracle.TableBasedLockingStrategy;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole contract on a real Oracle, and what only a real one can tell. A test of one says where it is. */
abstract class OracleServerContract extends BackendContract {

    private static final int NO_SUCH_TABLE = 942;

    protected abstract String url();

    protected abstract String user();

    protected abstract String password();

    @Override
    protected TestBackend createBackend() {
        dropTable();
        return new JdbcBackend(url(), user(), password(), "oracle");
    }

    /** Before version 23 there is no {@code DROP TABLE IF EXISTS}. */
    private void dropTable() {
        try {
            execute("DROP TABLE RESERVATION_LOCKS PURGE");
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_TABLE) {
                throw new AssertionError("Could not drop the table", e);
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(), user(), password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Whatever a session was told, locks are the same. */
    @Nested
    class Sessions {

        private final Duration lease = Duration.ofSeconds(30);
        private HikariDataSource plain;
        private HikariDataSource odd;

        @BeforeEach
        void open() {
            JdbcBackend backend = (JdbcBackend) createBackend();
            plain = (HikariDataSource) backend.dataSource();
            odd = JdbcBackend.pool(url(), user(), password());
        }

        @AfterEach
        void close() {
            odd.close();
            plain.close();
        }

        @ParameterizedTest
        @ValueSource(strings = {
                "ALTER SESSION SET NLS_COMP = LINGUISTIC NLS_SORT = BINARY_CI",
                "ALTER SESSION SET NLS_COMP = LINGUISTIC NLS_SORT = BINARY_AI",
                "ALTER SESSION SET NLS_COMP = LINGUISTIC NLS_SORT = GENERIC_M_AI",
                "ALTER SESSION SET TIME_ZONE = 'Pacific/Honolulu'",
                "ALTER SESSION SET NLS_TERRITORY = GERMANY NLS_NUMERIC_CHARACTERS = ',.'",
                "ALTER SESSION SET NLS_CALENDAR = 'Thai Buddha'",
                "ALTER SESSION SET NLS_LENGTH_SEMANTICS = CHAR",
                "ALTER SESSION SET ISOLATION_LEVEL = SERIALIZABLE"
        })
        void settingsDoNotMatter(String setting) throws InterruptedException {
            odd.setConnectionInitSql(setting);
            try (ReservationManager here = ReservationManager.oracle(odd).domain("orders").leaseTime(lease).build();
                    ReservationManager there =
                            ReservationManager.oracle(plain).domain("orders").leaseTime(lease).build()) {
                for (String lookAlike : List.of("a", "A", "\u00e1", "a ", "a\u0001", "\ud83d\ude00")) {
                    assertThat(there.getReservation(lookAlike).tryLock()).as(lookAlike).isTrue();
                    assertThat(here.getReservation(lookAlike).tryLock()).as(lookAlike).isFalse();
                    assertThat(here.getReservation(lookAlike).getRemainingLeaseTime())
                            .isBetween(Duration.ofSeconds(10), lease);
                }
                here.getReservation("A").forceUnlock();
                assertThat(here.getReservation("a").isLocked()).isTrue();
                assertThat(here.listReservations()).hasSize(5);

                Reservation held = here.getReservation("A");
                assertThat(held.tryLock(Duration.ZERO, Duration.ofSeconds(2))).isTrue();
                assertThat(held.renew(Duration.ofSeconds(3))).isTrue();
                assertThat(there.getReservation("A").tryLock(10, TimeUnit.SECONDS)).as("ends on time").isTrue();
                there.getReservation("A").unlock();
                held = here.getReservation("B");
                held.lock();
                held.unlock();
            }
        }

        @Test
        void aTableOfFourColumnsWorksBeforeAndAfterTheMigration() throws Exception {
            execute("ALTER TABLE RESERVATION_LOCKS DROP (fence, waiters, reserved_until)");
            try (ReservationManager before = ReservationManager.oracle(plain).domain("orders").build();
                    ReservationManager after = ReservationManager.oracle(plain).domain("orders").build()) {
                Reservation old = before.getReservation("42");
                old.lock();
                assertThat(old.fencingToken()).isEmpty();
                JdbcBackend.execute(plain, Ddl.of("oracle-migration"));
                Reservation reservation = after.getReservation("42");
                assertThat(reservation.tryLock()).isFalse();
                old.unlock();
                reservation.lock();
                assertThat(reservation.fencingToken()).isPresent();
                assertThat(old.tryLock()).isFalse();
                reservation.unlock();
            }
        }

        @Test
        void aMissingTableIsTold() {
            dropTable();
            try (ReservationManager manager = ReservationManager.oracle(plain).domain("orders").build()) {
                assertThatThrownBy(manager.getReservation("42")::tryLock)
                        .hasMessageContaining("java -jar reservation-lock.jar ddl oracle");
            }
        }

        @Test
        void whatIsOldIsDeleted() throws SQLException, LockingException {
            TableBasedLockingStrategy strategy = new TableBasedLockingStrategy(plain, "RESERVATION_LOCKS");
            strategy.tryAcquire("orders::held", "one", lease);
            strategy.tryAcquire("orders::free", "one", lease);
            strategy.release("orders::free", "one");
            execute("UPDATE RESERVATION_LOCKS SET acquired_at = acquired_at - INTERVAL '2' HOUR");

            assertThat(strategy.deleteExpired(10)).isOne();
            assertThat(strategy.isLocked("orders::held")).isTrue();
        }

        /** Not a test of ours, but what somebody who sends us the results should send along. */
        @Test
        void whereItRan() throws SQLException {
            try (Connection connection = plain.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "SELECT parameter || ' = ' || value FROM nls_database_parameters ORDER BY parameter")) {
                System.out.println(connection.getMetaData().getDatabaseProductVersion());
                System.out.println("Driver " + connection.getMetaData().getDriverVersion());
                int parameters = 0;
                while (rows.next()) {
                    System.out.println(rows.getString(1));
                    parameters++;
                }
                assertThat(parameters).isPositive();
            }
        }
    }
}
