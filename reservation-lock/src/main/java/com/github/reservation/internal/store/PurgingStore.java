// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.store;

/** A store that keeps something of every key it ever saw, and can forget it. */
public interface PurgingStore extends LeaseStore {

    /**
     * Forgets some of the keys that nobody has wanted for long.
     *
     * @return whether there may be more of them
     */
    boolean purge() throws StoreException;
}
