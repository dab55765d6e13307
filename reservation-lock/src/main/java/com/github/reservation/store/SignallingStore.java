// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import java.util.Set;

/**
 * A store that reports changes by itself. A signal is a hint: it may be lost, late, sent twice or sent for nothing. Without signals
 * everything still works, only slower, because waiters poll.
 */
public interface SignallingStore extends LeaseStore {

    /**
     * Sends signals to the listener until the registration is closed. It is called once for each manager, when the manager is built: it
     * does not wait for the server, and does not fail because the server cannot be reached. A signal that is under way when the
     * registration is closed may still arrive; closing it a second time does nothing.
     */
    Registration subscribe(Listener listener);

    /**
     * Returns whether it reports losses. If not, a manager closes its subscription when it is closed; else when the last of its locks has
     * ended.
     */
    default boolean tellsOfLosses() {
        return true;
    }

    /**
     * Returns whether a node in the queue can rely on a signal at the moment: it then polls about once a second, and not more often. False if
     * the connection that brings the signals is broken, or the store does not know. It is called often, and answers from memory.
     */
    default boolean canSignal() {
        return false;
    }

    /**
     * Receives signals. Its methods may be called on any thread, also while a call of the store is under way. They return quickly, throw
     * nothing and do not call the store. Do not call them while you hold a lock that a call of the store needs.
     */
    interface Listener {

        /**
         * Returns the name under which the node waits; {@link AcquireRequest#NO_NODE} until it first does. It can change once: ask for it
         * each time.
         */
        String node();

        /** Says that the key is free, and reserved for this node if there is a queue: a thread that waits for it asks the store at once. */
        void free(String key);

        /**
         * Says that these leases ended before their time: by force, or because the store lost them. A store reports what it learns of; a
         * loss that it does not report is found at the next renewal. Leases that are not the manager's are
         * ignored, so a store may send all losses to all listeners. Report leases that end together in one call.
         */
        void lost(Set<LeaseId> leases, LossReason reason);
    }
}
