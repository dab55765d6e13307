// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.util.Optional;

/**
 * A store that is fair between nodes: it keeps a queue for each key, and nodes take turns. Without a queue, the node that polls at the right
 * moment gets the key.
 *
 * <ol>
 *   <li><b>Joining.</b> A request that {@linkplain AcquireRequest#waits() waits} and is refused adds its node to the end of the queue,
 *       unless the node is in it already: it keeps its place, however often it asks. {@link Acquisition.Refused#queued} says that it has
 *       a place. A queue may be limited; a node that finds it full is refused without a place, and asks again.
 *   <li><b>Turn.</b> When a lease is released, by its holder or by force, it is the turn of the first node: the store reserves the key for
 *       that node for a <i>grace</i>, and refuses all others, also those that ask for the first time.
 *   <li><b>Grace.</b> It lasts a little longer than the pause between two polls, 100 ms to 1 s. After it the first node that asks gets the
 *       key, and the node that let its turn pass loses its place. So a dead node delays the others once.
 *   <li><b>Expiry.</b> A lease that ended by itself need not reserve the key: the next request may get it.
 *   <li><b>Leaving.</b> A node leaves the queue when it gets the key, or by {@link #withdraw}.
 * </ol>
 *
 * <p>Each method is one atomic step, like those of {@link LeaseStore}. A queue is a matter of fairness and speed: exclusion must not
 * depend on it, and a lost queue does no harm.
 */
public interface QueueingStore extends LeaseStore {

    /**
     * Returns whether it keeps a queue after all: what it keeps leases in may turn out to have no room for one. If not, {@link #pass} is
     * not called, and the other methods do without the queue.
     */
    default boolean hasQueue() {
        return true;
    }

    /**
     * Ends the lease as {@link #release} does, for a node whose other threads wait too. If other nodes are in the queue, the node joins it at
     * the end in the same step, so that no request comes in between. If none is, the key is free.
     *
     * @param mayStay whether the node has had the key for a short time only. Where a change of node costs much, the store may then put
     *     the node first; others ignore it
     * @return whether the lease existed; if not, nothing has changed
     */
    boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException;

    /**
     * Ends the lease and grants the key to another thread of the same node, in one step, with a new fence. The node leaves the queue.
     *
     * @param next the request of the other thread, for the same key
     * @param mayStay whether to do so although other nodes wait. A store where a change of node costs little may ignore it, and refuse
     * @return the grant; empty if the lease did not exist, or other nodes wait: then nothing has changed
     */
    Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay) throws StoreException;

    /**
     * Removes the node from the queue of the key. If the key was reserved for it, the key is now reserved for the next node, with a grace of
     * its own. Does nothing if the node is not in the queue.
     */
    void withdraw(String key, String node) throws StoreException;
}
