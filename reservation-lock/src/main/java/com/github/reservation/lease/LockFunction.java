// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import org.jspecify.annotations.Nullable;

/**
 * Work with a result to do while a lock is held, see {@link LockManager#call(String, LockFunction)}.
 *
 * @param <T> the result
 * @param <X> the exception that it may throw; {@code call} declares the same
 */
@FunctionalInterface
@SuppressWarnings("exports") // Callers need not have the annotation.
public interface LockFunction<T extends @Nullable Object, X extends Exception> {

    /** Does the work. Use {@code lock} to check that it is still held, and to get the fencing token. */
    T apply(HeldLock lock) throws X;
}
