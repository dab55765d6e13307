// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests that count the calls of the driver, on one database after another. */
abstract class OnRecordedDatabase {

    protected static final Duration LEASE = Duration.ofMinutes(1);

    @Parameter
    protected Databases kind;

    @TempDir
    protected Path directory;

    protected TestDatabase database;
    protected RecordingDataSource recorded;
    protected RoundTrips roundTrips;
    protected ReservationManager manager;
    protected Reservation reservation;

    /** The first use of a table checks it: so there is one before. */
    @BeforeEach
    void open() {
        database = kind.open(directory);
        recorded = new RecordingDataSource(database.pool(4));
        roundTrips = new RoundTrips(kind, recorded);
        manager = database.manager(recorded.dataSource(), LEASE);
        reservation = manager.getReservation("42");
        reservation.lock();
        reservation.unlock();
        recorded.clear();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
