// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A row that reads as free, but is locked by somebody's open transaction, in a database that soon gives up waiting for it. */
@ParameterizedClass
@EnumSource(names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
@SideBySide
@Execution(ExecutionMode.SAME_THREAD) // One test provokes the warning that the other must not see.
class LockedRowTest {

    private static final Duration LEASE = Duration.ofSeconds(2);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private TestDatabase hurried;
    private Connection stranger;
    private RecordingDataSource recorded;
    private Reservation reservation;

    @BeforeEach
    void lockTheRow() throws SQLException {
        database = kind.open(directory);
        hurried = database.with(
                switch (kind) {
                    case POSTGRESQL -> "options=-c%20lock_timeout=300";
                    case MARIADB, MYSQL -> "sessionVariables=innodb_lock_wait_timeout=1";
                    case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> "LOCK_TIMEOUT=300";
                });
        recorded = new RecordingDataSource(hurried.pool(2));
        reservation = wanted(LEASE);
        reservation.lock();
        reservation.unlock();

        stranger = database.connect();
        stranger.setAutoCommit(false);
        try (Statement statement = stranger.createStatement()) {
            statement.execute("UPDATE RESERVATION_LOCKS SET acquired_at = acquired_at");
        }
        recorded.clear();
    }

    /** Returns the key of the row, at a node that goes on for that long while the store does not answer. */
    private Reservation wanted(Duration leaseTime) {
        ReservationManager manager = hurried.opened(ReservationManager.jdbc(recorded.dataSource())
                .domain("locked-" + kind)
                .leaseTime(leaseTime)
                .build());
        return manager.getReservation("42");
    }

    @AfterEach
    void close() throws SQLException {
        stranger.close();
        hurried.close();
        database.close();
    }

    @Test
    void aWaiterIsToldWhatKeepsItFromTheKey() throws Exception {
        try (Actor waiter = new Actor("waiter"); LoggedWarnings warnings = new LoggedWarnings()) {
            Future<?> waiting = waiter.starts(() -> reservation.lock());

            await().atMost(Duration.ofSeconds(30)).until(waiting::isDone);
            assertThatThrownBy(() -> Actor.result(waiting))
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("Key locked-" + kind + "::42 is free, but a transaction")
                    .hasMessageContaining("keeps its row locked");
            assertThat(warnings.texts())
                    .anyMatch(text -> text.contains("The store of domain locked-" + kind + " does not answer"));
        }
        stranger.rollback();
        assertThat(reservation.tryLock()).as("the row is free").isTrue();
        reservation.unlock();
    }

    @Test
    void aFewLockTimeoutsAreARefusalLikeAnyOther() throws Exception {
        Reservation patient = wanted(Duration.ofMinutes(1));
        try (Actor waiter = new Actor("waiter"); LoggedWarnings warnings = new LoggedWarnings()) {
            Future<?> waiting = waiter.starts(() -> patient.lock());
            await().pollInterval(Duration.ofMillis(10)).until(() -> recorded.taken() >= 2);

            stranger.rollback();

            Actor.result(waiting);
            waiter.does(patient::unlock);
            assertThat(warnings.texts()).noneMatch(text -> text.contains("domain locked-" + kind));
        }
    }
}
