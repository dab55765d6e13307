// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A statement that somebody else's transaction keeps waiting is given up, and nothing is broken by it. */
class QueryTimeoutTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"}) // H2 ends a wait for a row by itself.
    @Timeout(30)
    void aRowThatIsLockedByATransactionDoesNotHangTheCaller(Databases kind) throws Exception {
        try (TestDatabase database = kind.open(directory)) {
            DataSource pool = database.pool(2);
            ReservationManager manager = database.opened(
                    ReservationManager.jdbc(pool).domain("orders").queryTimeout(LIMIT).build());
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            reservation.unlock();

            try (Connection stranger = pool.getConnection();
                    Statement statement = stranger.createStatement()) {
                stranger.setAutoCommit(false);
                statement.execute("UPDATE RESERVATION_LOCKS SET holder = 'stranger'");

                long start = System.nanoTime();
                assertThat(reservation.tryLock()).isFalse();
                assertThatThrownBy(reservation::lock)
                        .isInstanceOf(ReservationAcquisitionException.class)
                        .hasMessageContaining("The database failed");
                Duration taken = Duration.ofNanos(System.nanoTime() - start);
                assertThat(taken).as("at least one limit for each").isGreaterThanOrEqualTo(LIMIT.multipliedBy(2));

                stranger.rollback();
                stranger.setAutoCommit(true);
            }

            // The connections are as good as new: no cancel is left over that would hit whoever has them next.
            for (int i = 0; i < 20; i++) {
                assertThat(reservation.tryLock()).isTrue();
                reservation.unlock();
            }
        }
    }

    @Test
    void manyStatementsMayTakeLongerThanOneMay() throws Exception {
        try (TestDatabase database = Databases.POSTGRESQL.open(directory)) {
            database.execute("INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at)"
                    + " SELECT 'dead-' || n, 'holder', TIMESTAMP '2001-01-01', TIMESTAMP '2001-01-01'"
                    + " FROM generate_series(1, 150) AS numbers (n)");
            DataSource pool = database.pool(1);
            try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
                statement.execute("CREATE OR REPLACE FUNCTION slowly() RETURNS TRIGGER LANGUAGE plpgsql AS"
                        + " $$ BEGIN PERFORM pg_sleep(0.01); RETURN OLD; END $$");
                statement.execute("CREATE TRIGGER slowly BEFORE DELETE ON RESERVATION_LOCKS"
                        + " FOR EACH ROW EXECUTE FUNCTION slowly()");
            }
            JdbcLeaseStore leases = new JdbcLeaseStore(new JdbcSettings(
                    new SqlTable(pool, Optional.empty(), new TableName("RESERVATION_LOCKS"), LIMIT, ""),
                    false,
                    Duration.ofMillis(100),
                    Optional.of(Duration.ofHours(1))));

            long start = System.nanoTime();
            leases.purge();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(LIMIT);
            assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_LOCKS")).isEqualTo("0");
        }
    }

    @Test
    void allManagersOfAJvmShareTheThreadThatWatchesStatements() {
        try (TestDatabase database = Databases.POSTGRESQL.open(directory)) {
            DataSource pool = database.pool(1);
            for (String domain : List.of("orders", "reports", "invoices")) {
                ReservationManager manager =
                        database.opened(ReservationManager.jdbc(pool).domain(domain).build());

                manager.run("42", held -> assertThat(watchingThreads()).hasSize(1));
            }
        }
    }

    private static List<Thread> watchingThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("reservation-clock"))
                .toList();
    }
}
