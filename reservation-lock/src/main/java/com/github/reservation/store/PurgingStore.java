// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

/** A store that keeps something of every key it ever saw, and can forget it. */
public interface PurgingStore {

    /**
     * Returns what is purged: equal for stores that keep the same keys and would forget the same of them, so that one is asked
     * for all. Its text is for the log.
     */
    Object purgeScope();

    /**
     * Forgets some of the keys that nobody has wanted for long.
     *
     * @return whether there may be more of them
     */
    boolean purge() throws StoreException;
}
