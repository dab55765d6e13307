// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Registration;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Keeps events until all their listeners have them.
 *
 * <p>A key belongs to one of {@value #LANES} lanes. An instance leases a lane for one listener, reads a page of events from it, and
 * gives it back when the outcomes are recorded. A delivery that takes long is held by itself, so that its lane can go on. All times are
 * the store's.
 *
 * <p>Each method does one thing. It neither retries nor waits. Beside {@link #append}, all may safely be called twice.
 */
public interface OutboxStore {

    /** How many lanes there are: the same for all instances and all times. */
    int LANES = 64;

    /** How many events are read at once, at most. */
    int PAGE = 100;

    /** An instance announces its appends so often at most. What it appends meanwhile is not announced. */
    Duration ANNOUNCED_EVERY = Duration.ofMillis(100);

    /**
     * An event to append.
     *
     * @param keyId a digest of the key
     */
    record NewEvent(int lane, String keyId, String key, String type, String payload) {}

    /**
     * Who wants events.
     *
     * @param types the names of the types
     */
    record Listener(String id, List<String> types) {}

    /**
     * One delivery that failed, or is under way.
     *
     * @param attempts how many attempts that makes
     * @param owner the instance that made it
     */
    record Attempt(StoredEvent event, int attempts, String owner) {}

    /** Inserts events in the caller's transaction, in the order of the list. */
    void append(Connection connection, List<NewEvent> events) throws StoreException;

    /**
     * Calls back, on any thread, after events were appended by any instance, until the registration is closed. These are hints: not
     * all appends are announced, see {@link #ANNOUNCED_EVERY}, and many stores announce none.
     *
     * @param appended returns quickly and does not call the store
     */
    default Registration onAppend(Runnable appended) {
        return () -> {};
    }

    /**
     * Makes a listener known, so that its events are kept for it. It also wants the types with which it was registered before.
     *
     * @return whether it was not known; after a lost reply this may be false although it was not
     */
    boolean register(Listener listener) throws StoreException;

    /** Returns the lanes that nobody leases and that have an event of one of these types that is due for the listener. */
    List<Integer> dueLanes(Listener listener) throws StoreException;

    /** Leases a lane for a listener; returns whether it was free. */
    boolean take(String listener, int lane, String owner, Duration lease) throws StoreException;

    /** Gives a lane back, if the owner still has it. */
    void release(String listener, int lane, String owner) throws StoreException;

    /**
     * Returns the first events of a lane that are due for the listener, in order, {@value #PAGE} at most. Events behind one that waits
     * are not due.
     */
    List<StoredEvent> read(String listener, int lane) throws StoreException;

    /**
     * Records that the listener has these events, and removes those that nobody else wants.
     *
     * @param alone whether the caller still leases the lane, so that no other instance delivers the events to this listener meanwhile
     */
    void complete(String listener, List<StoredEvent> events, boolean alone) throws StoreException;

    /**
     * Records a failure. The event and those behind it are due after the pause.
     *
     * @return false if the event is gone, or another instance has recorded something newer
     */
    boolean fail(String listener, Attempt attempt, Duration pause, String error) throws StoreException;

    /** Records a failure after which the listener gets neither the event nor those behind it; returns what {@link #fail} does. */
    boolean park(String listener, Attempt attempt, String error) throws StoreException;

    /**
     * Leases the key of one event that is being delivered, so that its lane can be given back. The attempt counts already.
     *
     * @return false if the event is gone, or another instance has it
     */
    boolean hold(String listener, Attempt attempt, Duration lease) throws StoreException;

    /** Extends such a lease; returns whether the owner still had it. A lease that has ended is lost, even if nobody took the event. */
    boolean renewHold(String listener, long id, String owner, Duration lease) throws StoreException;

    /** Ends such a lease, as if the attempt had not been. */
    void undoHold(String listener, long id, String owner) throws StoreException;

    OutboxBacklog backlog() throws StoreException;

    List<OutboxEntry> list(OutboxQuery query) throws StoreException;

    /** Makes the failed deliveries of an event due, as if they were new; returns whether there were any. */
    boolean retry(long id) throws StoreException;

    /** Removes an event; returns whether it was there. */
    boolean discard(long id) throws StoreException;

    /** Forgets a listener; returns whether it was known. The events that waited for it stay until {@link #removeForgotten}. */
    boolean forget(String listener) throws StoreException;

    /**
     * Removes what is recorded for a forgotten listener about the next events, and those of them that all other listeners of their type
     * have. A million events may have waited for the listener, so it does some hundreds at a time. What is recorded for the listener
     * stays if it is known again by then.
     *
     * @param after the id behind which to begin: 0, or what the last call returned
     * @return the id behind which to go on; empty if all is done
     */
    OptionalLong removeForgotten(String listener, long after) throws StoreException;
}
