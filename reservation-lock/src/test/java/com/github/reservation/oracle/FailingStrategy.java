// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import java.time.Duration;
import java.util.Optional;

/** A strategy whose database always fails in the same way. */
final class FailingStrategy implements LockingStrategy {

    private final Throwable cause;

    FailingStrategy(Throwable cause) {
        this.cause = cause;
    }

    @Override
    public boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) throws LockingException {
        throw new LockingException("Failed to acquire lock: " + reservationKey, cause);
    }

    @Override
    public boolean release(String reservationKey, String holder) throws LockingException {
        throw new LockingException("Failed to release lock: " + reservationKey, cause);
    }

    @Override
    public void forceRelease(String reservationKey) throws LockingException {
        throw new LockingException("Failed to force release lock: " + reservationKey, cause);
    }

    @Override
    public boolean isLocked(String reservationKey) throws LockingException {
        return getLockInfo(reservationKey).isPresent();
    }

    @Override
    public Optional<LockInfo> getLockInfo(String reservationKey) throws LockingException {
        throw new LockingException("Failed to get lock info: " + reservationKey, cause);
    }
}
