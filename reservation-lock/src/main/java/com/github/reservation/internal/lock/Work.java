// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.internal.base.Log;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockExecutionResult.NotAcquired;
import com.github.reservation.lease.LockFunction;
import com.github.reservation.lease.LockLease;
import org.jspecify.annotations.Nullable;

/**
 * Work to do under a lock. The lock is given back whatever the work does.
 *
 * @param <T> the result of the work
 * @param <X> what it may throw
 */
record Work<T extends @Nullable Object, X extends Exception>(ManagerSettings settings, LockFunction<T, X> function) {

    /** Does the work if there is a lock. */
    LockExecutionResult<T> tryUnder(@Nullable GrantedLock lock) throws X {
        if (lock == null) {
            return new NotAcquired<>();
        }
        LockLease lease = lock.lease();
        T value = apply(lock);
        return new Executed<>(value, lease, lock.findLossReason());
    }

    /** Does the work; throws if the lock was lost meanwhile. */
    T under(GrantedLock lock) throws X {
        T value = apply(lock);
        if (lock.isLost()) {
            throw settings.expired(lock.name());
        }
        return value;
    }

    private T apply(GrantedLock lock) throws X {
        T value;
        try {
            value = function.apply(lock);
        } catch (Throwable e) {
            releaseAfterFailure(lock, e);
            throw e;
        }
        releaseAfterSuccess(lock);
        return value;
    }

    /** Releases the lock. If the store does not answer, the work was still done under the lock, and the release is retried. */
    private static void releaseAfterSuccess(GrantedLock lock) {
        try {
            lock.release();
        } catch (RuntimeException e) {
            Log.debug("Could not release lock " + lock.name() + "; retried until its lease ends", e);
        }
    }

    /** Releases the lock, and never masks what the work threw. */
    private void releaseAfterFailure(GrantedLock lock, Throwable failure) {
        try {
            lock.release();
            if (lock.isLost()) {
                failure.addSuppressed(settings.expired(lock.name()));
            }
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
    }
}
