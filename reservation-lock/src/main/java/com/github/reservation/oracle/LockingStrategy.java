// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps locks that end by themselves, in a way of your own. Give it to
 * {@link OracleReservationManagerBuilder#lockingStrategy}; the manager then adds threads, reentrancy, waiting and retries.
 *
 * <p>An implementation is safe for many threads, does not wait for a lock and does not retry. One clock decides for all who
 * share the locks: the database's. A lock whose time is over is not held, whether or not anybody has cleaned it up. "No" is an
 * answer; {@link LockingException} means that there is none.
 *
 * <p>Locks of a strategy have no fencing tokens, but for those of {@link TableBasedLockingStrategy}.
 */
public interface LockingStrategy {

    /**
     * Acquires the lock if nobody holds it, not even the same holder.
     *
     * @param reservationKey {@code domain::identifier}, at most 512 bytes in UTF-8
     * @param holder who asks; different for each acquisition, at most 256 bytes in UTF-8
     * @param leaseTime after which the lock ends by itself
     * @return whether it was acquired
     */
    boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) throws LockingException;

    /**
     * Releases the lock if the holder has it.
     *
     * @return whether the holder had it; false if it did not, or its time was over
     */
    boolean release(String reservationKey, String holder) throws LockingException;

    /** Releases the lock, whoever holds it. */
    void forceRelease(String reservationKey) throws LockingException;

    /** Returns whether anybody holds the lock. */
    boolean isLocked(String reservationKey) throws LockingException;

    /** Returns who holds the lock, if anybody does. */
    Optional<LockInfo> getLockInfo(String reservationKey) throws LockingException;

    /**
     * Lets a lock that the holder has run for the lease time from now, or longer if it did already.
     *
     * <p>Override it if you can. Without it a lock cannot be renewed: {@code Reservation.renew()} throws
     * {@code UnsupportedOperationException}, and to lock once more what the thread holds does not make it last longer.
     *
     * @return whether the holder had it; a lock whose time was over does not come back to life
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
