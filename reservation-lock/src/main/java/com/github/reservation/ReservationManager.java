// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.hazelcast.HazelcastReservationManagerBuilder;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.memory.InMemoryReservationManagerBuilder;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.oracle.OracleReservationManagerBuilder;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.StoreReservationManagerBuilder;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The locks of one domain on one backend. This is the entry point of the library: run work under a lock, see {@link LockManager}, or get
 * a {@link Reservation}, which is a {@link java.util.concurrent.locks.Lock}.
 *
 * {@snippet file="com/github/reservation/demo/ReadmeExample.java" region="first-screen"}
 *
 * <p>Keep one manager for the life of the application. Waiting threads queue inside it, so that for each key many of them cost
 * the store no more than one. A manager is thread-safe. It does not close the store or the meter registry that you pass to its builder.
 */
public interface ReservationManager extends LockManager, Closeable {

    /** Returns a builder for a manager with its own in-memory store, for locks between the threads of this JVM and for tests. */
    static InMemoryReservationManagerBuilder inMemory() {
        return inMemory(new InMemoryStore());
    }

    /** Returns a builder for a manager on the given store. Several managers on one store act as several nodes in one JVM. */
    static InMemoryReservationManagerBuilder inMemory(InMemoryStore store) {
        return new InMemoryReservationManagerBuilder(store);
    }

    /**
     * Returns a builder for a manager on a table of a relational database: PostgreSQL, MySQL, MariaDB, H2 or Oracle. Create the
     * table first, see {@link com.github.reservation.jdbc.Ddl}. The manager does not call the database before its first operation.
     *
     * @throws NullPointerException if the data source is null
     */
    static JdbcReservationManagerBuilder jdbc(DataSource dataSource) {
        return new JdbcReservationManagerBuilder(dataSource);
    }

    /**
     * Returns a builder for a manager on a table of an Oracle database, or on your own
     * {@link com.github.reservation.oracle.LockingStrategy}. A manager of {@link #jdbc} on the same table sees the same
     * locks; it polls at other intervals and knows no strategies. The manager does not call the database before its first operation.
     *
     * @throws NullPointerException if the data source is null
     */
    static OracleReservationManagerBuilder oracle(DataSource dataSource) {
        return new OracleReservationManagerBuilder(dataSource);
    }

    /**
     * Returns a builder for a manager on your own store. The manager does not call the store before its first operation, except to
     * subscribe to its signals.
     *
     * @throws NullPointerException if the store is null
     */
    static StoreReservationManagerBuilder on(LeaseStore store) {
        return new StoreReservationManagerBuilder(store);
    }

    /**
     * Returns a builder for a manager on a Hazelcast cluster, through a member or a client. The manager does not call the
     * cluster before its first operation. The members do not need this library.
     *
     * @param hazelcastInstance a {@code com.hazelcast.core.HazelcastInstance}; no signature names that type, so that this interface
     *     can be inspected and mocked without Hazelcast
     * @throws NullPointerException if the instance is null
     * @throws IllegalArgumentException if it is anything else
     * @throws IllegalStateException if Hazelcast is not on the class path
     */
    static HazelcastReservationManagerBuilder hazelcast(Object hazelcastInstance) {
        return new HazelcastReservationManagerBuilder(hazelcastInstance);
    }

    /**
     * Returns a handle for the reservation. It acquires nothing and does not call the store.
     *
     * @throws InvalidReservationKeyException if the identifier is null, empty or breaks the rules for keys
     */
    Reservation getReservation(String identifier);

    /** Returns the domain of this manager. */
    String getDomain();

    /** Returns the default lease time, for calls that do not pass their own. */
    Duration getLeaseTime();

    /** Returns how long reservations are renewed automatically at most; empty if they are not. */
    Optional<Duration> getMaxHold();

    /**
     * Returns the leases of this domain by the id of an execution: locks that no thread owns. It excludes the reservations of the same
     * identifiers. It needs no closing, and works until this manager is closed; renewals and releases work after that, too.
     */
    LockProvider lockProvider();

    /**
     * Registers a listener that is called for every hold this manager loses from now on, even after the manager is closed. A
     * listener that is registered twice is called twice.
     *
     * @return a registration that removes the listener
     * @throws NullPointerException if the listener is null
     */
    Registration onLost(LossListener listener);

    /**
     * Registers a listener for everything that happens to the reservations and locks of this manager from now on, even after the manager
     * is closed. A listener that is registered twice is called twice.
     *
     * @return a registration that removes the listener
     * @throws NullPointerException if the listener is null
     */
    Registration onEvent(ReservationListener listener);

    /**
     * Returns the reservations of this domain that the store shows as held. It is a snapshot for operators and tools, and may
     * already be out of date.
     *
     * @throws ReservationException if the store did not answer
     */
    List<ReservationInfo> listReservations();

    /**
     * Returns the reservation of an identifier as the store shows it; empty if nobody holds it. It is a snapshot like
     * {@link #listReservations()}, and reads one key, however many reservations there are.
     *
     * @throws InvalidReservationKeyException if the identifier breaks the rules for keys
     * @throws ReservationException if the store did not answer
     */
    Optional<ReservationInfo> findReservation(String identifier);

    /**
     * Closes this manager. Waiting threads, and later attempts to acquire a reservation, fail with an
     * {@link IllegalStateException}. Held reservations stay held until they are unlocked, which still works, or their leases
     * end. The store is not closed. A second call does nothing.
     */
    @Override
    void close();
}
