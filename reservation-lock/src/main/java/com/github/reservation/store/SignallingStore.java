// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import java.util.Set;

/** A store that reports changes by itself. Signals are hints: the core is correct without them, only slower. */
public interface SignallingStore extends LeaseStore {

    /** Sends the signals for the listener's node to it until the registration is closed. */
    Registration subscribe(Listener listener);

    /** Returns whether it reports losses; if not, a closed manager needs no signals, even if it still holds locks. */
    default boolean tellsOfLosses() {
        return true;
    }

    /** Returns whether a node that is in line can count on its signal now: then it need look less often. */
    default boolean canSignal() {
        return false;
    }

    /** Receives signals, on any thread; it returns quickly and does not call the store. */
    interface Listener {

        /** Returns the name under which the node waits; {@link AcquireRequest#NO_NODE} until it first does. */
        String node();

        /** The key is free, and this node's turn. */
        void free(String key);

        /** These leases ended before their time. Leases that end together are reported in one call. */
        void lost(Set<LeaseId> leases, LossReason reason);
    }
}
