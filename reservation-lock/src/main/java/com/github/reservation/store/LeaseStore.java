// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps leases: key, holder, fence, end. This is all that a backend must do; see the package for an example.
 *
 * <p><b>One lease.</b> A key has at most one lease. {@link #acquire} and, for each of their leases, {@link #renew} and {@link #release}
 * decide and change in one atomic step. The leases of one call are independent of each other: a call need not be one transaction.
 *
 * <p><b>The store's clock decides</b>, inside that step. A lease whose end is now or earlier does not exist, for every method, whether its
 * record is still there or not. The library sends durations, and never compares its own clock with the store's. A step may take
 * a lease for running a little longer than it does, but never for ended while it runs. The clock must not be set back.
 *
 * <p><b>A call can arrive twice</b>, if its reply was lost, and can arrive late. Because a holder is unique for each acquisition and never
 * gets a key that it has already, no repetition does harm: the second {@code acquire} is refused, and the library finds out with
 * {@link #find} that the first was granted; the second {@code renew} renews again; the second {@code release} ends nothing.
 *
 * <p><b>"No" is a result</b>: a refusal, or a lease that is missing from the answer. {@link StoreException} means that the store could not
 * answer. Never return "no" because the store failed: a holder would be told that its lock is lost, or a waiter that the key is held.
 *
 * <p><b>A call ends.</b> Limit every call to a time well below the lease times that you expect, and throw when it is over. A call does not
 * wait until a key is free, does not sleep, and is not retried by the store: the library does all that. If the thread is interrupted, the
 * call may end with any exception; keep the interrupt flag if you catch an {@link InterruptedException}.
 *
 * <p><b>Threads.</b> Many threads call a store at the same time, virtual ones too: do not hold a monitor during input or output. A
 * renewal of a lease can run at the same time as its release: if the release wins, the renewal must not bring the lease back.
 *
 * <p><b>Life.</b> Nobody closes a store: what it is made of belongs to you. Several managers can share one store object, or each have its
 * own on the same data. After its manager was closed, a store still gets calls for the leases that are held.
 *
 * <p><b>More abilities.</b> A store says what else it can do by implementing {@link QueueingStore}, {@link SignallingStore} or
 * {@link PurgingStore}. It says what it cannot do by implementing {@link FixedLeaseStore}, if it cannot renew leases, or
 * {@link ShorteningStore}, if it may grant less time than was asked for. The library looks with {@code instanceof}: so a decorator must
 * implement what the store behind it implements.
 */
public interface LeaseStore {

    /**
     * Grants the key if it has no lease, not even one of the same holder, and no other node is to have it first. Of requests that
     * race for a key, exactly one is granted.
     */
    Acquisition acquire(AcquireRequest request) throws StoreException;

    /**
     * Lets each lease that exists run for {@code lease} from now, or longer if it does already. A lease that has ended stays lost, even if
     * nobody has acquired the key since.
     *
     * @param leases at most {@link #mostLeasesInACall()} of them; may contain a lease twice, or be empty
     * @return the leases that exist, and those that the store could not look at; the others are lost
     * @throws StoreException if nothing is known about any of them. Some may have been renewed nevertheless
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
     * Ends each lease that exists: its key is free, or reserved for the next node of the queue. A lease of another holder is not affected.
     *
     * @param leases at most {@link #mostLeasesInACall()} of them; may contain a lease twice, or be empty
     * @return the leases that existed and that this call has ended
     */
    Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException;

    /**
     * Ends the lease of the key, regardless of its holder.
     *
     * @return the lease that it ended; empty if there was none
     */
    Optional<LeaseId> forceRelease(String key) throws StoreException;

    /** Returns the lease of the key, if it has one. It must see every change that any store on the same data has answered before. */
    Optional<StoredLease> find(String key) throws StoreException;

    /**
     * Returns the leases of all keys that start with the prefix, in any order. The prefix is plain text: {@code %}, {@code _} and
     * {@code *} stand for themselves. It is used by operators only, and may be slow.
     */
    List<StoredLease> list(String keyPrefix) throws StoreException;
}
