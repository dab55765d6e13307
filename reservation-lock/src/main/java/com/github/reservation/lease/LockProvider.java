// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Acquires, renews and releases locks by the id of an execution. No thread owns such a lock, it is not reentrant, and nothing renews it
 * by itself: a lease that is neither renewed nor released ends.
 *
 * <p>A lock name is an identifier in the domain of the manager: a lease and a {@link com.github.reservation.Reservation} of the same
 * name exclude each other.
 *
 * <p>Any process that has the three fields of a lease can renew and release it. A
 * {@link com.github.reservation.oracle.LockingStrategy} that cannot renew renews no lease.
 *
 * <p>Use a new execution id for each call of {@link #acquireLock}, also after an exception. Renewals and releases match the name and the
 * id: with an id that is used again, the late release of an old lease releases the new one.
 *
 * <p>No method waits for a holder. All of them call the store and block until it answers. A provider is thread-safe.
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public interface LockProvider {

    /**
     * Acquires the lock if it is free or its lease has ended.
     *
     * @param lockName the name of the lock, under the rules of {@link InvalidReservationKeyException}
     * @param executionId the holder: not empty, at most 256 bytes in UTF-8, without NUL
     * @param leaseDuration how long to hold the lock unless it is renewed or released, at least 1 ms
     * @return the lease; null if the lock is held, even by the same execution, or is reserved for a node that waits for it
     * @throws ReservationAcquisitionException if the store failed or is misconfigured
     * @throws IllegalArgumentException if an argument breaks its rule; nothing is sent then
     * @throws NullPointerException if the execution id or the duration is null
     * @throws IllegalStateException if the manager is closed
     */
    @Nullable LockLease acquireLock(String lockName, String executionId, Duration leaseDuration);

    /**
     * Renews the leases that still exist: each runs for the given time from now, or longer in the store if it did already.
     *
     * <p>A lease that was released, has ended or is unknown is left out of the result: it is lost. A lease for which the store gave no
     * answer, for example because another session keeps its row locked, is not lost. It is returned as it was passed, with its old
     * end, unless that end has come. Renew it again before then.
     *
     * @return the leases that count, each with the end until which it does, in the order of the argument and without duplicates
     * @throws ReservationException if the store gave no answer for any of the leases; their old ends still count
     * @throws IllegalArgumentException if an argument breaks its rule; nothing is sent then
     */
    List<LockLease> renew(List<LockLease> leases, Duration leaseDuration);

    /**
     * Releases the leases. A lease that was released, has ended or is unknown is ignored. A release never frees the lock of another
     * execution.
     *
     * @throws ReservationException if the store failed for some of the leases. All of them were tried; the failures after the first are
     *     suppressed exceptions. The library retries those releases in the background until the leases end
     * @throws IllegalArgumentException if an argument breaks its rule; nothing is sent then
     */
    void release(List<LockLease> leases);
}
