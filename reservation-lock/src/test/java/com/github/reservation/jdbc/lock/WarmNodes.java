// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;

/** Makes nodes on one database: each has its own manager and pool, and all its connections are open. */
final class WarmNodes {

    private static final int POOL = 4;

    private final TestDatabase database;
    private final List<RecordingDataSource> recorded = new ArrayList<>();

    WarmNodes(TestDatabase database) {
        this.database = database;
    }

    /** Returns the key at so many nodes. On PostgreSQL they listen for notifications. */
    List<Reservation> of(int count, String identifier) {
        List<Reservation> reservations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ReservationManager manager = node();
            manager.getReservation("warm-up").lock();
            manager.getReservation("warm-up").unlock();
            reservations.add(manager.getReservation(identifier));
        }
        if (database.kind() == Databases.POSTGRESQL) {
            new ListeningConnections(database).awaitCount(count);
        }
        return reservations;
    }

    private ReservationManager node() {
        HikariDataSource pool = database.pool(POOL);
        pool.setMinimumIdle(POOL);
        RecordingDataSource recording = new RecordingDataSource(pool);
        recorded.add(recording);
        JdbcReservationManagerBuilder builder =
                ReservationManager.jdbc(recording.dataSource()).domain("orders");
        if (database.kind() == Databases.POSTGRESQL) {
            builder.notifications(database.pool(1));
        }
        ReservationManager manager = database.opened(builder.build());
        manager.listReservations();
        await().until(() -> pool.getHikariPoolMXBean().getTotalConnections() == POOL);
        return manager;
    }

    /** Returns how many connections a node had open at once at most; the one that listens does not count. */
    int mostConnections() {
        return recorded.stream().mapToInt(RecordingDataSource::mostOpen).max().orElseThrow();
    }
}
