// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import com.github.reservation.store.StoreException.Kind;
import java.util.Set;

/**
 * The answer to a renewal. A lease that is in neither set is lost.
 *
 * @param renewed the leases that exist, and run for the time that was asked for, or longer
 * @param undecided the leases that the store could not look at in this call: another session keeps the row locked, or a part of
 *     the store does not answer. They count as they did before; the core asks again
 */
public record Renewal(Set<LeaseId> renewed, Set<LeaseId> undecided) {

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

    /** The answer of a store that could look at each of the leases. */
    public static Renewal decided(Set<LeaseId> renewed) {
        return new Renewal(renewed, Set.of());
    }
}
