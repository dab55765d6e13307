// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.util.Optional;

/**
 * A store that is fair between nodes: a refused node that waits keeps its place, and a released key goes to the first
 * in line, unless that one does not come for it soon.
 */
public interface QueueingStore extends LeaseStore {

    /** Returns whether it keeps a queue after all: what it keeps leases in may turn out to have no room for one. */
    default boolean hasQueue() {
        return true;
    }

    /**
     * Ends the lease as {@link #release} does, for a node where others wait too: if other nodes wait, it lines up behind
     * them in the same step, so that nobody can slip in between.
     *
     * @param mayStay whether the node has not had the key for long: where a change of node costs much, the store may then
     *     put it before the others
     * @return whether the lease existed
     */
    boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException;

    /**
     * Ends the lease and grants the key to another thread of the same node, in one step. The node waits no longer then, as far
     * as the store knows.
     *
     * @param mayStay whether to do so although other nodes wait; a store where a change of node costs little need not
     * @return the grant; empty if the lease did not exist, or others wait: then nothing has changed
     */
    Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay) throws StoreException;

    /** Gives up the node's place for the key; the next in line need not wait for it. */
    void withdraw(String key, String node) throws StoreException;
}
