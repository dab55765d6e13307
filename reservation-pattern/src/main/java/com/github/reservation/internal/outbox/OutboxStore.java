// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Registration;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.OutboxStart;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Keeps events, and for each event and each listener that wants it a <em>delivery</em>: a row in a lane of the listener.
 *
 * <p>Most keys share {@value #LANES} lanes, by their digests. An instance leases a lane, reads a page of its deliveries, and removes
 * those that its listener has received. A key that is slow, hot, fails or waits gets a lane of its own, with its own lease, so that the
 * shared lane can go on. Only the worker that leases the shared lane opens a lane for one of its keys, and moves deliveries there.
 * When the lane of a key is empty, it is closed, and the key shares a lane again.
 *
 * <p>All times are the store's. Each method does one thing. It neither retries nor waits. Beside {@link #append}, all may safely be
 * called twice.
 */
public interface OutboxStore {

    /** How many lanes are shared: the same for all instances and all times. */
    int LANES = 64;

    /** How many deliveries are read at once, at most. */
    int PAGE = 500;

    /** How many events {@link #ids} returns, and {@link #retry} and {@link #discard} take, at most. */
    int MANY = 500;

    /** An instance announces its appends so often at most. What it appends meanwhile is not announced. */
    Duration ANNOUNCED_EVERY = Duration.ofMillis(100);

    /**
     * An event to append.
     *
     * @param keyId a digest of the key
     * @param lane the lane that the key shares
     * @param bytes the size of the payload
     * @param listeners those of this instance that want it: the store need not know them yet
     */
    record NewEvent(
            String keyId, int lane, String key, String type, String payload, int bytes, Collection<String> listeners) {

        /** Makes an event whose key has its lane by its digest. */
        static NewEvent of(String key, String type, String payload, int bytes, Collection<String> listeners) {
            String keyId = KeyIds.of(key);
            return new NewEvent(keyId, KeyIds.laneOf(keyId), key, type, payload, bytes, listeners);
        }
    }

    /**
     * Who wants events.
     *
     * @param types the names of the types
     * @param start with which events it begins for a type that the store does not know it to want
     */
    record Listener(String id, Collection<String> types, OutboxStart start) {}

    /** A type that a listener wanted the last time an instance said so. */
    record Wanted(String listener, String type) {}

    /**
     * A key that has a lane of its own.
     *
     * @param dueIn how long until it may be taken; not positive if it may be taken now
     */
    record DueKey(String keyId, Duration dueIn) {

        boolean isDue() {
            return !dueIn.isPositive();
        }
    }

    /**
     * The lane of a key, which this instance has leased.
     *
     * @param head the event that was tried
     * @param attempts how often it was tried, this time included
     */
    record OwnLane(long lane, long head, int attempts) {}

    /**
     * The first deliveries of a lane.
     *
     * @param events those of its keys
     * @param elsewhere those whose keys have another lane, without payloads
     * @param mayHaveMore whether there may be others behind them
     */
    record StoredPage(List<StoredEvent> events, List<StoredEvent> elsewhere, boolean mayHaveMore) {}

    /**
     * What is known of a key that has a lane of its own.
     *
     * @param head the event that was tried
     * @param attempts how often it was tried; if it is under way, this time included
     * @param underWay whether the caller delivers it: then {@code dueIn} is the rest of the lease
     * @param dueIn when it is tried again; empty if it is parked
     * @param error why it failed
     */
    record KeyState(long head, int attempts, boolean underWay, Optional<Duration> dueIn, String error) {}

    /**
     * Inserts events and their deliveries in the caller's transaction, in the order of the list. An event that no listener wants is not
     * inserted.
     *
     * @return the types that no listener wants
     */
    Set<String> append(Connection connection, List<NewEvent> events) throws StoreException;

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
     * Makes a listener known, or seen again. It also wants the types with which it was registered before. If a lease or a pause of one of its
     * keys ends later than twice its length from now, the clock of the store was set back: the key is due now.
     *
     * @return the types that were not known; after a lost reply they may be missing
     */
    Set<String> register(Listener listener) throws StoreException;

    /** Returns what no instance has registered for so long. */
    List<Wanted> absent(Duration since) throws StoreException;

    /**
     * Forgets that a listener wants a type, or any type: if a time is given, only what no instance has registered for so long. Returns
     * whether there was something.
     */
    boolean unregister(String listener, Optional<String> type, Optional<Duration> unseenFor) throws StoreException;

    /** Removes the lanes of a listener that is not registered, but for those of keys for which something waits. */
    void removeLanes(String listener) throws StoreException;

    /** Returns the lowest shared lane, from one on, that has a delivery for the listener: whoever leases it. */
    OptionalInt nextLane(String listener, int from) throws StoreException;

    /** Returns the keys that are due next, the first one first: those that an instance delivers, too, but none that is parked. */
    List<DueKey> nextKeys(String listener, int limit) throws StoreException;

    /**
     * Leases a shared lane; returns whether it was free, or was this owner's. A lease that ends later than twice its length from now is
     * over: the clock of the store was set back.
     *
     * @param owner another one for each worker that takes a lane
     */
    boolean take(String listener, int lane, String owner, Duration lease) throws StoreException;

    /** Gives a shared lane back; returns whether the owner still had it. */
    boolean release(String listener, int lane, String owner) throws StoreException;

    /** Leases the lane of a key if it is due. That counts as an attempt. */
    Optional<OwnLane> takeKey(String listener, String keyId, String owner, Duration lease) throws StoreException;

    /**
     * Returns the first deliveries of a lane, in the order of their events: at most {@value #PAGE}, and so many bytes, but at least one. An
     * event that was removed meanwhile has no payload.
     */
    StoredPage read(String listener, long lane, long bytes) throws StoreException;

    /**
     * Moves deliveries of a shared lane to the lanes of their keys; returns how many keys still had one. If the lane of a key is closed
     * meanwhile, its deliveries stay.
     */
    int move(String listener, List<StoredEvent> events) throws StoreException;

    /** Removes deliveries, and the events that nobody else waits for; returns for how many of the events others may wait. */
    int complete(String listener, List<StoredEvent> events) throws StoreException;

    /**
     * Opens a lane for a key that shares one, and moves deliveries there.
     *
     * @param shared the shared lane, which the owner leases
     * @param events those of the key that were read and not completed, in order; the first is the head
     * @return whether the lane is the owner's; false if this call has ended the lease before
     */
    boolean open(String listener, int shared, String owner, List<StoredEvent> events, KeyState state)
            throws StoreException;

    /**
     * Changes what is known of a key whose lane the owner has leased; ends the lease unless it is under way.
     *
     * @return false if another worker has taken the key, or if the lease was ended before
     */
    boolean record(String listener, String keyId, String owner, KeyState state) throws StoreException;

    /**
     * Gives the lane of a key back, and closes it if it is empty. If not, the key is due.
     *
     * @param attempts how often the first event that is left was tried
     * @return whether the owner still had it
     */
    boolean leave(String listener, String keyId, String owner, int attempts) throws StoreException;

    /** Returns all listeners that are registered, or for which there is a delivery. */
    List<RegisteredListener> listeners() throws StoreException;

    /** Returns the highest id of an event for which something waits; 0 if there is none. */
    long lastId() throws StoreException;

    /** Returns events with their listeners and failures: at most as many as the query says, and so many bytes, but at least one. */
    List<OutboxEntry> list(OutboxQuery query, long bytes) throws StoreException;

    /**
     * Returns the ids of the next events that a query means, in order, {@value #MANY} at most. It ignores the limit of the query.
     *
     * @param failed whether only those that failed and are not under way
     */
    List<Long> ids(OutboxQuery query, boolean failed) throws StoreException;

    /** Makes failed deliveries due as if they had not been tried; those of one listener, or of all. Returns how many there were. */
    int retry(List<Long> ids, Optional<String> listener) throws StoreException;

    /**
     * Removes deliveries: those of one listener, or of all. Removes the events that nobody waits for then. A key whose first event is
     * removed is due, unless it is under way. Returns how many deliveries there were.
     */
    int discard(List<Long> ids, Optional<String> listener) throws StoreException;
}
