// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

/**
 * Work to do while a lock is held, see {@link LockManager#run(String, LockAction)}.
 *
 * @param <X> the exception that it may throw; {@code run} declares the same
 */
@FunctionalInterface
public interface LockAction<X extends Exception> {

    /** Does the work. Use {@code lock} to check that it is still held, and to get the fencing token. */
    void run(HeldLock lock) throws X;
}
