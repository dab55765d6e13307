// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A forced unlock that reads the holder and then releases it, while the key changes hands in between. */
@ParameterizedClass
@EnumSource(Databases.class)
class ForcedUnlockTest {

    /** More than any call tries. */
    private static final int ALL_THE_TIME = 100;

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private RecordingDataSource recorded;
    private int changes;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        recorded = new RecordingDataSource(database.pool(2));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void itReleasesTheNextHolder() {
        assumeTwoStatements();
        assertReleasesTheNextHolder();
    }

    @Test
    void itFailsIfTheKeyChangesHandsAllTheTime() {
        assumeTwoStatements();
        assertFailsIfTheKeyChangesHandsAllTheTime();
    }

    @Test
    void withFourColumnsItReleasesTheNextHolder() {
        dropColumns();
        assertReleasesTheNextHolder();
    }

    @Test
    void withFourColumnsItFailsIfTheKeyChangesHandsAllTheTime() {
        dropColumns();
        assertFailsIfTheKeyChangesHandsAllTheTime();
    }

    private void assertReleasesTheNextHolder() {
        Reservation reservation = held();

        changeHands(2);
        reservation.forceUnlock();

        assertThat(changes).isEqualTo(2);
        assertThat(reservation.isLocked()).isFalse();
    }

    private void assertFailsIfTheKeyChangesHandsAllTheTime() {
        Reservation reservation = held();

        changeHands(ALL_THE_TIME);

        assertThatThrownBy(reservation::forceUnlock)
                .isInstanceOf(ReservationException.class)
                .hasRootCauseMessage("The key changes hands all the time");
        assertThat(changes).isLessThan(ALL_THE_TIME);
    }

    /** The others have one statement that returns whose lease it ended. */
    private void assumeTwoStatements() {
        assumeThat(kind.isMySql()).isTrue();
    }

    private void dropColumns() {
        for (String column : List.of("fence", "waiters", "reserved_until")) {
            database.execute("ALTER TABLE RESERVATION_LOCKS DROP COLUMN " + column);
        }
    }

    private Reservation held() {
        Reservation reservation =
                database.manager(recorded.dataSource(), Duration.ofMinutes(1)).getReservation("42");
        reservation.lock();
        return reservation;
    }

    /** Gives the key to another holder so many times, each time right before a lease is released. */
    private void changeHands(int times) {
        recorded.beforeNext("UPDATE", () -> {
            changes++;
            database.execute("UPDATE RESERVATION_LOCKS SET holder = 'other-" + changes + "'");
            if (times > 1) {
                changeHands(times - 1);
            }
        });
    }
}
