// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Delivers events that were written in a transaction, after its commit: at least once, in order for each key.
 *
 * {@snippet file="com/github/reservation/demo/OutboxExamplesTest.java" region="outbox"}
 *
 * <p>An event is written in the caller's transaction, for each listener that wants it. It is there if and only if the transaction commits,
 * and a crash after the commit does not lose it. A listener that throws is called again after a pause, which grows. After a day, by default, the
 * event is parked for this listener. It then waits for {@link #retry} or {@link #discard}, and the later events of its key wait
 * behind it. An event that no listener wants is not written.
 *
 * <p>Events of a key are delivered in the order in which they were appended, on one instance at a time. Two transactions that
 * overlap and append to one key have an order only if a lock gives them one: change the row that the key stands for first, and append
 * after that. Without it their events arrive one after another, but in any order.
 *
 * <p>Run an outbox in every instance of the application. The instances share the work. An outbox is thread-safe.
 */
public interface Outbox extends AutoCloseable {

    /** Returns a builder for an outbox in tables of a relational database. */
    static OutboxBuilder jdbc(DataSource dataSource) {
        return new OutboxBuilder(dataSource);
    }

    /**
     * Appends an event in the caller's transaction, for each listener that is registered for its type. On PostgreSQL that is one
     * statement, elsewhere three. It neither commits nor closes the connection, and does not wait for other transactions.
     *
     * <p>If nobody listens to the type, nothing is written: a warning says so, once for each type.
     *
     * @param key what the event is about, 1 to 1,089 characters; events of one key are delivered in order
     * @throws IllegalArgumentException if the key has another length, if the connection is in autocommit mode, if the codec cannot
     *     write the event, or if what it writes is {@linkplain OutboxBuilder#largestEvent too large}; nothing was sent to the database
     *     then
     * @throws ReservationException if the database failed: roll the transaction back
     */
    default void append(Connection connection, String key, Object event) {
        appendAll(connection, List.of(new OutboxMessage(key, event)));
    }

    /**
     * Appends events in the caller's transaction, in the order of the list, with few statements. See {@link #append}.
     *
     * @throws IllegalArgumentException if the connection is in autocommit mode, or if an event cannot be written; nothing was sent to
     *     the database then
     * @throws ReservationException if the database failed: roll the transaction back
     */
    void appendAll(Connection connection, List<OutboxMessage> messages);

    /**
     * Registers a listener, without a call to the database. After {@link #start} or with {@link #deliverNow} the outbox makes the
     * database know the listener. From that moment on each event of its type is kept until this listener has it, also while no
     * instance runs this listener; what this instance appends is kept from this call on. {@link #forget} ends that.
     *
     * <p>The id is stored, so it must be the same in all instances and after each restart. If another instance has registered the id
     * with a type that this listener does not have, an event of that type counts as failed here: it is tried again, by any instance, and the
     * later events of its key wait with it.
     *
     * @param id 1 to 64 letters, digits and characters {@code _ . -}
     * @param type a class, whose subclasses do not count, or a sealed type, which means all its classes
     * @param start with which events a new listener begins
     * @return a registration that removes the listener from this instance; the database still knows it
     * @throws IllegalArgumentException if the id is taken or breaks its rule, or if the type is {@code Object}, or abstract and not sealed
     */
    default <E> Registration subscribe(
            String id, Class<E> type, OutboxStart start, OutboxListener<? super E> listener) {
        return subscribe(id, List.of(Objects.requireNonNull(type, "type must not be null")), start, listener);
    }

    /**
     * Registers a listener of several types: it receives the events of a key in order, whatever their types are. See
     * {@link #subscribe(String, Class, OutboxStart, OutboxListener)}.
     *
     * @param types classes or sealed types; they may overlap
     * @throws IllegalArgumentException if there is no type, or for the reasons there
     */
    <E> Registration subscribe(
            String id,
            Collection<? extends Class<? extends E>> types,
            OutboxStart start,
            OutboxListener<? super E> listener);

    /** Registers a listener that begins with new events. See {@link #subscribe(String, Class, OutboxStart, OutboxListener)}. */
    default <E> Registration subscribe(String id, Class<E> type, OutboxListener<? super E> listener) {
        return subscribe(id, type, OutboxStart.NEW_EVENTS, listener);
    }

    /**
     * Registers a listener that does not want to know about the delivery, and begins with new events. See
     * {@link #subscribe(String, Class, OutboxStart, OutboxListener)}.
     */
    default <E> Registration subscribe(String id, Class<E> type, OutboxConsumer<? super E> listener) {
        Objects.requireNonNull(listener, "listener must not be null");
        return subscribe(id, type, (OutboxListener<E>) (event, delivery) -> listener.accept(event));
    }

    /**
     * Delivers events in the background until {@link #close()}. It returns at once, also if the database is down: the outbox tries
     * again. Listeners run on daemon threads of the library. A second call does nothing.
     *
     * @return this outbox
     * @throws IllegalStateException if the outbox is closed
     */
    Outbox start();

    /**
     * Delivers the events that are due, on the calling thread, and returns when no more are due. Events that another instance is
     * delivering are left to it. It works with and without {@link #start}.
     *
     * @return how many deliveries succeeded; an event with two listeners counts twice
     * @throws ReservationException if the database failed
     * @throws IllegalStateException if the outbox is closed, or if a listener calls this method
     */
    int deliverNow();

    /**
     * Counts what is not delivered. It blocks for a query that reads all events that wait.
     *
     * @throws ReservationException if the database failed
     */
    OutboxBacklog backlog();

    /**
     * Returns all listeners for which events are kept, by their ids: also those that no instance runs any more. It blocks for a query
     * that reads all events that wait.
     *
     * @throws ReservationException if the database failed
     */
    List<RegisteredListener> listeners();

    /**
     * Returns events that are not delivered, in the order of their ids. A page of large events ends early: the next one begins
     * {@linkplain OutboxQuery#after after} its last event, until a page is empty.
     *
     * @throws ReservationException if the database failed
     */
    List<OutboxEntry> list(OutboxQuery query);

    /**
     * Makes the failed deliveries of an event due at once, as if they had never been tried, whether it is parked or waits for its next
     * attempt. A delivery that is under way stays as it is.
     *
     * @param id the id of an {@link OutboxEntry}
     * @return whether the event had a failed delivery; after a lost reply of the database it may be false although it had one
     * @throws ReservationException if the database failed
     */
    boolean retry(long id);

    /**
     * Does what {@link #retry} does for all failed deliveries that a query means, some hundreds at a time. If the query names a listener,
     * the deliveries to others stay as they are.
     *
     * @return how many deliveries are due now
     * @throws ReservationException if the database failed; call it again then
     */
    long retryAll(OutboxQuery query);

    /**
     * Removes an event for all listeners that have not received it yet. The next events of its key are no longer blocked. A listener that
     * runs for the event is not stopped. An instance that has read the event before may still deliver it.
     *
     * @param id the id of an {@link OutboxEntry}
     * @return whether the event was there; after a lost reply of the database it may be false although it was
     * @throws ReservationException if the database failed
     */
    boolean discard(long id);

    /**
     * Does what {@link #discard} does for all events that a query means, some hundreds in a transaction. If the query names a listener,
     * the events stay for others.
     *
     * @return how many deliveries were removed: an event that waited for two listeners counts twice
     * @throws ReservationException if the database failed; call it again then
     */
    long discardAll(OutboxQuery query);

    /**
     * Forgets a listener, and removes what waits for it, some hundreds of events in a transaction. If an instance still has the
     * listener, it notices within ten seconds, logs a warning and registers it again: for new events. A transaction that is open
     * meanwhile may still write an event for the listener; then call it again.
     *
     * @return whether the database knew the listener or kept something for it
     * @throws ReservationException if the database failed; call it again then
     */
    boolean forget(String listenerId);

    /**
     * Lets a listener have one type less, and removes the events of that type that wait for it: for a release that no longer has the
     * type. It does for one type what {@link #forget(String)} does for all.
     *
     * @param type the {@linkplain OutboxCodec#nameOf name} of the type
     * @return whether the database knew that the listener wants the type, or kept something of it
     * @throws ReservationException if the database failed; call it again then
     */
    boolean forget(String listenerId, String type);

    /**
     * Ends the delivery and waits for the listeners that are running, so that what they did is recorded. That includes listeners whose
     * registrations are closed. It waits for the lease time at most, and logs a warning if a listener still runs then. The outcome of
     * that listener is recorded when it returns, if the process and the data source live so long. Else the event is delivered again.
     * What is left stays for another instance or another time. If the calling thread is interrupted while it waits, or is a listener's,
     * the method returns. A second call does nothing.
     */
    @Override
    void close();
}
