// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that PostgreSQL notifies. They poll once an hour: if one gets a key in time, it was notified. */
@Needs(Backend.POSTGRESQL)
abstract class OnNotifiedNodes {

    protected static final Duration NEVER = Duration.ofHours(1);
    protected static final Duration LEASE = NEVER.multipliedBy(2);
    protected static final int PATIENCE = 10;

    private final List<Actor> actors = new ArrayList<>();

    @TempDir
    private Path directory;

    protected TestDatabase database;
    protected StoredQueue queue;
    protected ListeningConnections listeners;

    @BeforeEach
    void open() {
        database = Databases.POSTGRESQL.openNew(directory);
        database.install();
        queue = new StoredQueue(database, "orders::42");
        listeners = new ListeningConnections(database);
    }

    @AfterEach
    void close() {
        database.close();
        actors.forEach(Actor::close);
    }

    protected ReservationManager node(DataSource notifications) {
        return node(ReservationManager.jdbc(database.pool(2)), notifications);
    }

    protected ReservationManager node(JdbcReservationManagerBuilder builder, DataSource notifications) {
        ReservationManager manager = database.opened(
                notified(builder, notifications).pollInterval(NEVER).maxPollInterval(NEVER).build());
        manager.listReservations();
        return manager;
    }

    protected static JdbcReservationManagerBuilder notified(
            JdbcReservationManagerBuilder builder, DataSource notifications) {
        return builder.domain("orders").leaseTime(LEASE).notifications(notifications);
    }

    protected Actor actor(String name) {
        Actor actor = new Actor(name);
        actors.add(actor);
        return actor;
    }

    /** Starts a thread that joins the queue as its last node, and unlocks the key as soon as it gets it. */
    protected Future<?> joinsQueue(Reservation reservation, int length) {
        Future<?> granted = actor("in the queue").starts(() -> lockAndUnlock(reservation));
        queue.awaitLength(length);
        return granted;
    }

    private static void lockAndUnlock(Reservation reservation) {
        reservation.lock();
        reservation.unlock();
    }

    /** Returns the threads that listen; earlier tests may have left some. */
    protected static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("reservation-notifications"))
                .collect(Collectors.toSet());
    }
}
