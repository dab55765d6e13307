// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import com.github.reservation.store.StoreException.Kind;
import java.util.Set;

/**
 * The answer to a renewal. A lease that is in neither set is lost: its holder is told so, and never asks for it again.
 *
 * @param renewed the leases that exist, and run at least as long as was asked for
 * @param undecided the leases that the store could not look at in this call, because another session has locked the row or a part of the
 *     store does not answer. They keep the end that they had, and the library asks again
 */
public record Renewal(Set<LeaseId> renewed, Set<LeaseId> undecided) {

    /** Copies the sets. */
    public Renewal {
        renewed = Set.copyOf(renewed);
        undecided = Set.copyOf(undecided);
    }

    /**
     * Returns whether the lease exists.
     *
     * @throws StoreException if that is undecided
     */
    public boolean hasRenewed(LeaseId lease) throws StoreException {
        if (undecided.contains(lease)) {
            throw new StoreException(Kind.CONTENTION, "The store could not look at the lease of " + lease.key()
                    + ": another session keeps its row locked, or a part of the store does not answer");
        }
        return renewed.contains(lease);
    }

    /** Returns the answer of a store that has looked at every lease. */
    public static Renewal decided(Set<LeaseId> renewed) {
        return new Renewal(renewed, Set.of());
    }
}
