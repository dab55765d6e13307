// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

/**
 * A store that keeps something of every key that was ever used, and can forget it. While a manager on it is open, one thread of the library
 * calls {@link #purge} about once an hour, again and again until nothing is left to forget.
 *
 * <p>What is forgotten must not be missed: not a lease, not a queue, and not a fence that the next grant must exceed; see
 * {@link Acquisition.Granted}. A failure is logged, and means nothing else.
 */
public interface PurgingStore {

    /**
     * Returns what is purged. It is equal for stores that keep the same keys and would forget the same of them: then only one of them is
     * purged. Its text is for the log.
     */
    Object purgeScope();

    /**
     * Forgets some of the keys that were not used for long: so many that the call takes no longer than any other.
     *
     * @return whether there may be more of them
     */
    boolean purge() throws StoreException;
}
