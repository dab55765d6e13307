// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Stores locks that expire. Implement it to store locks in your own way, and pass it to
 * {@link OracleReservationManagerBuilder#lockingStrategy}. The manager adds threads, reentrancy, waiting and retries.
 *
 * <p>An implementation must be thread-safe, must not wait for a lock and must not retry. One clock, the database's, decides for all
 * clients of the locks. An expired lock is not held, even if it was not cleaned up yet. A method returns {@code false} if the
 * answer is "no", and throws {@link LockingException} if it has no answer.
 *
 * <p>Only {@link TableBasedLockingStrategy} has fencing tokens.
 */
public interface LockingStrategy {

    /**
     * Acquires the lock if it is free. It is not free if the same holder already has it.
     *
     * @param reservationKey {@code domain::identifier}, at most 512 bytes in UTF-8
     * @param holder the name of the new holder, different for each acquisition, at most 256 bytes in UTF-8
     * @param leaseTime the time after which the lock expires
     * @return whether the lock was acquired
     */
    boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) throws LockingException;

    /**
     * Releases the lock if the given holder has it.
     *
     * @return whether the holder had the lock; false also if the lock had expired
     */
    boolean release(String reservationKey, String holder) throws LockingException;

    /** Releases the lock regardless of its holder. */
    void forceRelease(String reservationKey) throws LockingException;

    /** Returns whether the lock is held. */
    boolean isLocked(String reservationKey) throws LockingException;

    /** Returns the holder and the times of the lock, or empty if it is free. */
    Optional<LockInfo> getLockInfo(String reservationKey) throws LockingException;

    /**
     * Extends the lock of the given holder to the lease time from now, unless it already runs longer.
     *
     * <p>Override this method if you can. By default locks cannot be renewed: {@code Reservation.renew()} throws
     * {@code UnsupportedOperationException}, and a reentrant lock does not extend the lease.
     *
     * @return whether the holder had the lock; a renewal never revives an expired lock
     */
    default boolean renew(String reservationKey, String holder, Duration leaseTime) throws LockingException {
        throw new UnsupportedOperationException(getClass().getName() + " cannot renew: it does not override renew");
    }

    /**
     * Returns the held locks whose keys start with the prefix, by key.
     *
     * <p>Override this method if you can. By default {@code ReservationManager.listReservations()} fails.
     */
    default Map<String, LockInfo> listLocks(String keyPrefix) throws LockingException {
        throw new UnsupportedOperationException(getClass().getName() + " cannot list: it does not override listLocks");
    }

    /**
     * A held lock.
     *
     * @param expiresAt when the lock expires by the clock of this JVM: its current time plus the time that remains by the
     *     database's clock
     */
    record LockInfo(String holder, Instant acquiredAt, Instant expiresAt) {

        public LockInfo {
            Objects.requireNonNull(holder, "holder must not be null");
            Objects.requireNonNull(acquiredAt, "acquiredAt must not be null");
            Objects.requireNonNull(expiresAt, "expiresAt must not be null");
        }

        /** Returns the remaining time of the lock, never negative. */
        public Duration remainingLeaseTime() {
            Duration remaining = Duration.between(Instant.now(), expiresAt);
            return remaining.isNegative() ? Duration.ZERO : remaining;
        }
    }
}
