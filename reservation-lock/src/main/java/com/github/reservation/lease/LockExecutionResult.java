// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import com.github.reservation.LossReason;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What became of work that needs a lock, see {@link LockManager}. An exception of the work is not a result: it reaches the caller.
 *
 * @param <T> the result type of the work
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public sealed interface LockExecutionResult<T extends @Nullable Object> {

    /**
     * The work was done.
     *
     * @param value what the work returned; null for work without a result
     * @param lease the lease under which the work began
     * @param lossReason why the lock was lost before the work had ended: another execution may have worked at the same time. Null if the
     *     lock was not lost, or if the store still had the lease when the work ended: then no other execution had the lock
     */
    record Executed<T extends @Nullable Object>(T value, LockLease lease, @Nullable LossReason lossReason)
            implements LockExecutionResult<T> {

        /** Returns whether the lock was held until the work had ended, or until the work released it itself. */
        public boolean wasHeldToTheEnd() {
            return lossReason == null;
        }
    }

    /** The lock was held by another execution, so the work was not done. */
    record NotAcquired<T extends @Nullable Object>() implements LockExecutionResult<T> {}

    /** Returns whether the work was done. */
    default boolean isExecuted() {
        return this instanceof Executed;
    }

    /** Returns the value, or {@code other} if the work was not done. */
    default T orElse(T other) {
        return switch (this) {
            case Executed<T> executed -> executed.value();
            case NotAcquired<T> notAcquired -> other;
        };
    }

    /** Returns the value, or throws the exception of the supplier if the work was not done. */
    default <X extends Throwable> T orElseThrow(Supplier<? extends X> failure) throws X {
        return switch (this) {
            case Executed<T> executed -> executed.value();
            case NotAcquired<T> notAcquired -> throw failure.get();
        };
    }
}
