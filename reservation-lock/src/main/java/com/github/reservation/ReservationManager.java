// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.hazelcast.HazelcastReservationManagerBuilder;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.github.reservation.memory.InMemoryReservationManagerBuilder;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.oracle.OracleReservationManagerBuilder;
import com.hazelcast.core.HazelcastInstance;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the reservations of one domain on one backend; the place to start.
 *
 * {@snippet file="com/github/reservation/demo/ReadmeExample.java" region="first-screen"}
 *
 * <p>Keep one manager for the life of the application: threads queue in it, so that a crowd of them costs the store no
 * more than one. It is safe for use by many threads. What it needs (a store, a meter registry) stays yours to close.
 */
@SuppressWarnings("exports") // The annotation need not be there for those who call us.
public interface ReservationManager extends Closeable {

    /** Starts a manager with a store of its own: locks between the threads of this JVM, and for tests. */
    static InMemoryReservationManagerBuilder inMemory() {
        return inMemory(new InMemoryStore());
    }

    /** Starts a manager on a store that others may share, to play several nodes in one JVM. */
    static InMemoryReservationManagerBuilder inMemory(InMemoryStore store) {
        return new InMemoryReservationManagerBuilder(store);
    }

    /**
     * Starts a manager on a table of a relational database: PostgreSQL, MySQL, MariaDB, H2 or Oracle. The table is yours to
     * create, see {@link com.github.reservation.jdbc.Ddl}; nothing is asked of the database before the first lock.
     *
     * @throws NullPointerException if the data source is null
     */
    static JdbcReservationManagerBuilder jdbc(DataSource dataSource) {
        return new JdbcReservationManagerBuilder(dataSource);
    }

    /**
     * Starts a manager on a table of an Oracle database, or on a {@link com.github.reservation.oracle.LockingStrategy} of
     * your own. It excludes managers of {@link #jdbc} on the same table; what differs is how often a waiter asks, and that
     * the strategy can be another one. Nothing is asked of the database before the first lock.
     *
     * @throws NullPointerException if the data source is null
     */
    static OracleReservationManagerBuilder oracle(DataSource dataSource) {
        return new OracleReservationManagerBuilder(dataSource);
    }

    /**
     * Starts a manager on a Hazelcast cluster, through a member or a client. Nothing is asked of the cluster before the
     * first lock, and nothing of this library is needed on its members.
     *
     * @param <H> a bound that the compiler checks and writes into the class file as {@code Object}: so a container, a proxy or
     *     a mock can look at this interface without Hazelcast
     * @throws NullPointerException if the instance is null
     * @throws IllegalStateException if Hazelcast is not on the class path
     */
    @SuppressWarnings("ExtendsObject") // Not redundant: it is the erasure.
    static <H extends Object & HazelcastInstance> HazelcastReservationManagerBuilder hazelcast(H hazelcastInstance) {
        return new HazelcastReservationManagerBuilder(hazelcastInstance);
    }

    /**
     * Returns a handle of the reservation; nothing is acquired yet and the store is not asked.
     *
     * @throws InvalidReservationKeyException if the identifier is null, empty or breaks the rules for keys
     */
    Reservation getReservation(String identifier);

    /** Returns the domain whose reservations this manager gives out. */
    String getDomain();

    /** Returns the lease time that a reservation gets unless it is asked for with another one. */
    Duration getLeaseTime();

    /**
     * Acquires the reservation as {@link Reservation#lock()} does, with the same exceptions, runs the action and gives the
     * reservation back.
     *
     * <p>What the action throws always reaches the caller; a loss found on the way out is added to it as suppressed.
     *
     * @throws ReservationExpiredException if the action ended well but the reservation was lost before
     */
    <X extends Exception> void run(String identifier, ReservedAction<X> action) throws X;

    /** Returns what the call returns, and is otherwise like {@link #run}. */
    <T extends @Nullable Object, X extends Exception> T call(String identifier, ReservedCall<T, X> call) throws X;

    /**
     * Acquires the reservation as {@link Reservation#tryLock(Duration, Duration)} does, with the same exceptions. If it was
     * acquired in time, runs the action and gives the reservation back, as {@link #run} does.
     *
     * @param wait how long to wait for the reservation; with zero or less the store is asked once
     * @param lease how long to hold it at most
     * @return whether the action was run; {@code false} if the wait was over before, also because the store did not answer
     * @throws InterruptedException if the thread is interrupted before or while it waits; then the action is not run
     * @throws ReservationExpiredException if the action ended well but the reservation was lost before
     */
    <X extends Exception> boolean tryRun(String identifier, Duration wait, Duration lease, ReservedAction<X> action)
            throws X, InterruptedException;

    /** Returns what the call returns, or that it was not executed, and is otherwise like {@link #tryRun}. */
    <T extends @Nullable Object, X extends Exception> ExecutionResult<T> tryCall(
            String identifier, Duration wait, Duration lease, ReservedCall<T, X> call)
            throws X, InterruptedException;

    /**
     * Registers a listener that is told of every hold of this manager that is lost from now on, also after the manager was
     * closed. A listener that is registered twice is told twice.
     *
     * @return what removes the listener again
     * @throws NullPointerException if the listener is null
     */
    Registration onLost(LossListener listener);

    /**
     * Asks the store who holds what in this domain. A snapshot for people and tools: it may be out of date when it is read.
     *
     * @throws ReservationException if the store did not answer
     */
    List<ReservationInfo> listReservations();

    /**
     * Ends this manager: whoever waits for a reservation gets an {@link IllegalStateException}, and so does whoever tries to
     * acquire one later. What is held stays held until it is unlocked, which still works, or its lease ends. The store is
     * not closed. A second call does nothing.
     */
    @Override
    void close();
}
