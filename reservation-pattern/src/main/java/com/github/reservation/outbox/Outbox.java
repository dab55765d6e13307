// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Delivers events that were written in a transaction, after its commit: at least once, in order for each key.
 *
 * {@snippet file="com/github/reservation/demo/OutboxExamplesTest.java" region="outbox"}
 *
 * <p>An event is a row that the caller's transaction inserts. It is there if and only if the transaction commits, and a crash after the
 * commit does not lose it. It is removed when each registered listener of its type has returned. A listener that throws is called again
 * after a pause, which grows. After too many attempts the event is parked for this listener. It then waits for {@link #retry} or
 * {@link #discard}, and the later events of its key wait behind it.
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
     * Appends an event in the caller's transaction. It executes one statement and neither commits nor closes the connection. It does
     * not wait for other transactions.
     *
     * @param key what the event is about, 1 to 1,089 characters; events of one key are delivered in order
     * @throws IllegalArgumentException if the key has another length, if the connection is in autocommit mode, or if the codec cannot
     *     write the event; nothing was sent to the database then
     * @throws ReservationException if the database failed: roll the transaction back
     */
    default void append(Connection connection, String key, Object event) {
        appendAll(connection, List.of(new OutboxMessage(key, event)));
    }

    /**
     * Appends events in the caller's transaction, in the order of the list, with few statements. See {@link #append}.
     *
     * @throws IllegalArgumentException if the connection is in autocommit mode, or if the codec cannot write an event; nothing was sent
     *     to the database then
     * @throws ReservationException if the database failed: roll the transaction back
     */
    void appendAll(Connection connection, List<OutboxMessage> messages);

    /**
     * Registers a listener, without a call to the database. After {@link #start} or with {@link #deliverNow} the outbox makes the
     * database know the listener, before it delivers anything. From that moment on an event of its type is kept until this listener
     * has it, also while no instance runs this listener. The listener also receives the events that are there at that moment. Other
     * listeners may have removed some before. {@link #forget} makes the database forget the listener.
     *
     * <p>Its id is stored with what it has received, so it must be the same in all instances and after each restart. The types of
     * an id are added up. If another instance has registered the id with a type that this listener does not have, events of that
     * type and later ones of the same key are left to that instance.
     *
     * @param id 1 to 64 letters, digits and characters {@code _ . -}
     * @param type a class, whose subclasses do not count, or a sealed type, which means all its classes
     * @return a registration that removes the listener from this instance; the database still knows it
     * @throws IllegalArgumentException if the id is taken or breaks its rule, or if the type is {@code Object}, or abstract and not sealed
     */
    <E> Registration subscribe(String id, Class<E> type, OutboxListener<? super E> listener);

    /** Registers a listener that does not want to know about the delivery. See {@link #subscribe(String, Class, OutboxListener)}. */
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
     * Returns events that are not delivered, in the order of their ids.
     *
     * @throws ReservationException if the database failed
     */
    List<OutboxEntry> list(OutboxQuery query);

    /**
     * Makes the failed deliveries of an event due at once, as if they had never been tried, whether it is parked or waits for its next
     * attempt.
     *
     * @param id the id of an {@link OutboxEntry}
     * @return whether the event had a failed delivery; after a lost reply of the database it may be false although it had one
     * @throws ReservationException if the database failed
     */
    boolean retry(long id);

    /**
     * Removes an event, whoever has not received it yet. The next events of its key are no longer blocked. A listener that runs for the
     * event is not stopped, and the next event of its key may run beside it. An instance that has read the event before may still
     * deliver it.
     *
     * @param id the id of an {@link OutboxEntry}
     * @return whether the event was there; after a lost reply of the database it may be false although it was
     * @throws ReservationException if the database failed
     */
    boolean discard(long id);

    /**
     * Forgets a listener that no instance has any more. Events that all other listeners of their type have received are removed. Events
     * that have no other listener stay. If another instance still delivers to the listener, it notices within ten seconds or
     * a poll interval, logs a warning and registers the listener again. What was removed until then does not come back. So call it after
     * the last instance with the listener has ended, or call it again then.
     *
     * <p>It looks at all events, 500 in a transaction, which takes a minute or two for a million. If it fails, call it again.
     *
     * @return whether the database knew the listener; false if an earlier call has failed half way
     * @throws IllegalStateException if this instance has the listener
     * @throws ReservationException if the database failed
     */
    boolean forget(String listenerId);

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
