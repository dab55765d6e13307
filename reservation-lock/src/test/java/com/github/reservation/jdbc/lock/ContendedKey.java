// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/** The key {@code orders::42}, and the nodes and threads that want it. */
final class ContendedKey implements AutoCloseable {

    static final Duration LEASE = Duration.ofMinutes(1);

    /** For how long a key is reserved for the first node, with the default poll intervals. */
    static final Duration GRACE = Duration.ofMillis(150);

    /** The longest grace that there is. */
    static final Duration LONG_GRACE = Duration.ofSeconds(1);

    /** A node that gets the key in this time did not wait until the long grace of another one was over. */
    static final Duration AT_ONCE = LONG_GRACE.multipliedBy(9).dividedBy(10);

    /** The name of a node that does not exist. */
    static final String DEAD_NODE = "dead-dead-dead-0";

    private final TestDatabase database;
    private final StoredQueue queue;
    private final List<AutoCloseable> actors = new ArrayList<>();

    ContendedKey(TestDatabase database) {
        this.database = database;
        this.queue = new StoredQueue(database, "orders::42");
    }

    TestDatabase database() {
        return database;
    }

    StoredQueue queue() {
        return queue;
    }

    /** Returns the key at a node that has used the database before. */
    Reservation node() {
        return used(database.manager(database.pool(2), LEASE));
    }

    /** Returns the key at a node that, when it releases the key, reserves it for that long. */
    Reservation node(Duration grace) {
        return used(database.opened(ReservationManager.jdbc(database.pool(2))
                .domain("orders")
                .leaseTime(LEASE)
                .maxPollInterval(grace)
                .build()));
    }

    static Reservation used(ReservationManager manager) {
        manager.listReservations();
        return manager.getReservation("42");
    }

    /** Returns a store without a manager. */
    JdbcLeaseStore leases() {
        return TestDatabase.leases(database.pool(2), Optional.empty());
    }

    /** Returns the request of a node that waits. */
    static AcquireRequest request(LeaseId lease, String node) {
        return new AcquireRequest(lease, LEASE, node, true, false);
    }

    Actor actor(String name) {
        Actor actor = new Actor(name);
        actors.add(actor);
        return actor;
    }

    /** Starts a thread that joins the queue as its last node; returns when it got the key, which it unlocks at once. */
    Future<Long> joinsQueue(Reservation reservation, int length) {
        Future<Long> granted = actor("in the queue").starts(() -> {
            reservation.lock();
            long now = System.nanoTime();
            reservation.unlock();
            return now;
        });
        queue.awaitLength(length);
        return granted;
    }

    /** Unlocks the key; returns how long it took until the waiter got it. */
    static Duration timeToGrant(Reservation holder, Future<Long> granted) {
        long start = System.nanoTime();
        holder.unlock();
        return Duration.ofNanos(Actor.result(granted) - start);
    }

    static void lockAndUnlock(Reservation reservation) {
        reservation.lock();
        reservation.unlock();
    }

    @Override
    public void close() throws Exception {
        database.close();
        for (AutoCloseable actor : actors) {
            actor.close();
        }
    }
}
