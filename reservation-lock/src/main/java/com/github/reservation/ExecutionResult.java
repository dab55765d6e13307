// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What became of a call that waits for a limited time, see {@link ReservationManager#tryCall}. It is not an
 * {@link java.util.Optional}, because a call that was executed may return null.
 *
 * @param <T> what the call returns
 */
@SuppressWarnings("exports") // The annotation need not be there for those who call us.
public sealed interface ExecutionResult<T extends @Nullable Object> {

    /** The call was executed, and returned the value. */
    record Executed<T extends @Nullable Object>(T value) implements ExecutionResult<T> {}

    /** The reservation could not be acquired in time, and the call was not executed. */
    record NotAcquired<T extends @Nullable Object>() implements ExecutionResult<T> {}

    /** Returns the value, or the other one if the call was not executed. */
    default T orElse(T other) {
        return switch (this) {
            case Executed<T> executed -> executed.value();
            case NotAcquired<T> notAcquired -> other;
        };
    }

    /** Returns the value, or throws what the supplier makes if the call was not executed. */
    default <X extends Throwable> T orElseThrow(Supplier<? extends X> failure) throws X {
        return switch (this) {
            case Executed<T> executed -> executed.value();
            case NotAcquired<T> notAcquired -> throw failure.get();
        };
    }
}
