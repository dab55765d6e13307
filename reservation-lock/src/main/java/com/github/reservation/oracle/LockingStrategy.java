// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps locks that expire, in a way of your own. Pass it to {@link OracleReservationManagerBuilder#lockingStrategy}. The manager
 * adds threads, reentrancy, waiting and retries.
 *
 * <p>An implementation is thread-safe, does not wait for a lock and does not retry. The database's clock decides for all nodes. An
 * expired lock is not held, even if its row still exists. "No" is a result; {@link LockingException} means that the result is
 * not known.
 *
 * <p>Locks of a strategy have no fencing tokens, except those of {@link TableBasedLockingStrategy}.
 */
public interface LockingStrategy {

    /**
     * Acquires the lock if it has no holder; not even the same holder acquires it again.
     *
     * @param reservationKey {@code domain::identifier}, at most 512 bytes in UTF-8
     * @param holder the name of this acquisition, different for each, at most 256 bytes in UTF-8
     * @param leaseTime after which the lock expires
     * @return whether it was acquired
     */
    boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) throws LockingException;

    /**
     * Releases the lock if the holder has it.
     *
     * @return whether the holder had it; false if it did not, or if it had expired
     */
    boolean release(String reservationKey, String holder) throws LockingException;

    /** Releases the lock, whatever its holder. */
    void forceRelease(String reservationKey) throws LockingException;

    /** Returns whether the lock is held. */
    boolean isLocked(String reservationKey) throws LockingException;

    /** Returns the holder of the lock; empty if it is free. */
    Optional<LockInfo> getLockInfo(String reservationKey) throws LockingException;

    /**
     * Lets a lock that the holder has expire after the lease time from now, or later if it did already.
     *
     * <p>Override it if you can. Without it a lock cannot be renewed: {@code Reservation.renew()} throws
     * {@code UnsupportedOperationException}, and a thread that locks again what it holds does not extend the lease.
     *
     * @return whether the holder had it; an expired lock cannot be renewed
     */
    default boolean renew(String reservationKey, String holder, Duration leaseTime) throws LockingException {
        throw new UnsupportedOperationException(getClass().getName() + " cannot renew: it does not override renew");
    }

    /**
     * Returns the locks whose keys start with the prefix, by their keys.
     *
     * <p>Override it if you can. Without it {@code ReservationManager.listReservations()} fails.
     */
    default Map<String, LockInfo> listLocks(String keyPrefix) throws LockingException {
        throw new UnsupportedOperationException(getClass().getName() + " cannot list: it does not override listLocks");
    }

    /**
     * A lock that is held.
     *
     * @param expiresAt when it ends by the clock of this JVM: now, and the time that it still runs by the clock that decides
     */
    record LockInfo(String holder, Instant acquiredAt, Instant expiresAt) {

        public LockInfo {
            Objects.requireNonNull(holder, "holder must not be null");
            Objects.requireNonNull(acquiredAt, "acquiredAt must not be null");
            Objects.requireNonNull(expiresAt, "expiresAt must not be null");
        }

        /** Returns how long the lock still runs, never less than nothing. */
        public Duration remainingLeaseTime() {
            Duration remaining = Duration.between(Instant.now(), expiresAt);
            return remaining.isNegative() ? Duration.ZERO : remaining;
        }
    }
}
