// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
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
    @EnumSource(names = {"POSTGRESQL", "MARIADB"}) // H2 ends a wait for a row by itself.
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
}
