// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A table that lacks a column, as one has that an earlier version or somebody by hand has made. */
@SideBySide
@ParameterizedClass
@EnumSource(Databases.class)
class MissingColumnsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private ReservationManager manager;
    private Reservation reservation;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        manager = database.manager(database.pool(2), LEASE);
        reservation = manager.getReservation("42");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fence", "waiters", "reserved_until"})
    void theFirstUseNamesTheColumnAndTheMigrationThatAddsIt(String column) {
        drop(column);

        String told = "Table RESERVATION_LOCKS lacks " + column + ". The command java -jar reservation-lock.jar ddl "
                + kind.ddl() + "-migration prints how to add what is missing";
        assertThatThrownBy(reservation::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining(told);
        assertThatThrownBy(reservation::tryLock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining(told);
        assertThatThrownBy(reservation::isLocked)
                .isInstanceOf(ReservationException.class)
                .cause()
                .hasMessageContaining(told);
        assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_LOCKS")).isEqualTo("0");
    }

    @Test
    void aColumnThatEveryLockTableHasIsAddedByNoMigration() {
        drop("expires_at");

        assertThatThrownBy(reservation::tryLock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("lacks expires_at: give it the columns of the DDL that"
                        + " java -jar reservation-lock.jar ddl " + kind.ddl() + " prints");
    }

    @Test
    void theRestOfTheMigrationMakesTheTableWorkWithoutARestart() {
        drop("waiters");
        drop("reserved_until");
        assertThatThrownBy(reservation::tryLock).hasMessageContaining("lacks waiters, reserved_until. ");
        drop("fence");

        database.execute(Ddl.of(kind.ddl() + "-migration"));

        assertThat(reservation.tryLock()).isTrue();
        assertThat(reservation.fencingToken()).isPresent();
        reservation.unlock();
    }

    @Test
    void aLockThatWasHeldBeforeTheMigrationIsHeldAfterIt() {
        reservation.lock();
        drop("fence");
        drop("waiters");
        drop("reserved_until");

        database.execute(Ddl.of(kind.ddl() + "-migration"));

        Reservation elsewhere = database.manager(database.pool(1), LEASE).getReservation("42");
        assertThat(elsewhere.tryLock()).isFalse();
        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
        assertThat(elsewhere.tryLock()).isTrue();
    }

    @Test
    void aColumnThatGoesWhileLocksAreInUseIsToldByTryLockToo() {
        reservation.lock();
        reservation.unlock();
        drop("fence");

        assertThatThrownBy(reservation::tryLock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("java -jar reservation-lock.jar ddl " + kind.ddl());
    }

    private void drop(String column) {
        database.execute("ALTER TABLE RESERVATION_LOCKS DROP COLUMN " + column);
    }
}
