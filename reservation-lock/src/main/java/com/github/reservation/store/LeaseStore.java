// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps leases: key, holder, fence, end. All that a backend must do.
 *
 * <p>Its own clock decides, inside the operation: a lease whose end is now or earlier does not exist. "No" is a result;
 * {@link StoreException} means that the answer could not be found out. Implementations are safe for many threads and
 * never retry: the core does. What a backend can do beyond this it says by implementing {@link SignallingStore},
 * {@link QueueingStore} or {@link PurgingStore}; what it cannot do, by {@link FixedLeaseStore}, or by {@link ShorteningStore} if it
 * may not grant all the time that was asked for.
 */
public interface LeaseStore {

    /** Grants the key if nobody holds it, not even the same holder. */
    Acquisition acquire(AcquireRequest request) throws StoreException;

    /**
     * Lets each lease that still exists run for {@code lease} from now, or longer if it did already.
     *
     * @return which leases exist, and which could not be looked at; the others are lost
     */
    Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException;

    /**
     * Returns how many leases one call of renew or release should get at most. A database may lock all of their rows until the
     * call ends. A store that sends one request for each lease returns 1, so that one failure does not affect the other leases.
     */
    default int mostLeasesInACall() {
        return 1000;
    }

    /**
     * Ends each lease that still exists.
     *
     * @return the leases that existed; the others had been lost before
     */
    Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException;

    /**
     * Ends the lease of the key, regardless of its holder.
     *
     * @return the lease that it ended; empty if there was none
     */
    Optional<LeaseId> forceRelease(String key) throws StoreException;

    /** Returns the lease of the key, if there is one. */
    Optional<StoredLease> find(String key) throws StoreException;

    /** Returns the leases of all keys that start with the prefix. */
    List<StoredLease> list(String keyPrefix) throws StoreException;
}
