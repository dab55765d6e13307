// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What locks do to a pool, and a pool to locks. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class PoolTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = kind.open(directory);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anExhaustedPoolIsAStoreThatCannotBeReached() throws SQLException {
        HikariDataSource pool = poolOfOne();
        Reservation reservation = database.manager(pool, LEASE).getReservation("42");

        try (Connection taken = pool.getConnection()) {
            long start = System.nanoTime();
            assertThatThrownBy(reservation::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("No connection to the database");
            assertThat(reservation.tryLock()).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        }

        assertThat(reservation.tryLock()).as("there is a connection again").isTrue();
        reservation.unlock();
    }

    @Test
    void aHeldLockOutlivesAnExhaustedPool() throws SQLException {
        HikariDataSource pool = poolOfOne();
        Reservation reservation = database.manager(pool, LEASE).getReservation("42");
        reservation.lock();

        try (Connection taken = pool.getConnection()) {
            assertThatThrownBy(reservation::renew).isInstanceOf(ReservationException.class);
            assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);
            assertThat(reservation.isHeldByCurrentThread()).isTrue();
        }

        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void anUnlockThatFoundNoConnectionIsDoneLater() throws SQLException {
        HikariDataSource pool = poolOfOne();
        Reservation reservation = database.manager(pool, LEASE).getReservation("42");
        reservation.lock();

        try (Connection taken = pool.getConnection()) {
            assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationException.class);
            assertThat(reservation.isHeldByCurrentThread()).isFalse();
        }

        // Asked through another pool: this one has a single connection, and the release needs it.
        Reservation elsewhere = database.manager(database.pool(1), LEASE).getReservation("42");
        await().until(() -> !elsewhere.isLocked());
    }

    /** A hundred of them get the key; then the manager is closed, so that it does not take too long. */
    @Test
    void aThousandWaitersUseTwoConnections() throws Exception {
        RecordingDataSource recorded = new RecordingDataSource(database.pool(10));
        ReservationManager manager = database.manager(recorded.dataSource(), LEASE);
        Reservation inTheWay = database.manager(database.pool(1), LEASE).getReservation("42");
        inTheWay.lock();
        AtomicInteger started = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 1_000; i++) {
                threads.submit(() -> {
                    Reservation reservation = manager.getReservation("42");
                    started.incrementAndGet();
                    reservation.lock();
                    served.incrementAndGet();
                    reservation.unlock();
                });
            }
            await().until(() -> started.get() == 1_000 && recorded.taken() > 3);
            assertThat(served).hasValue(0);

            inTheWay.unlock();
            await().until(() -> served.get() >= 100);
            manager.close();
        }

        // What was passed to a thread that had left is given back in the background.
        await().until(() -> recorded.open() == 0);
        assertThat(recorded.mostOpen()).isLessThanOrEqualTo(2);
    }

    private HikariDataSource poolOfOne() {
        HikariDataSource pool = database.pool(1);
        pool.setConnectionTimeout(250);
        return pool;
    }
}
