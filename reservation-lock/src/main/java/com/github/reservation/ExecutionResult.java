// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link ReservationManager#tryCall}. It is not an {@link java.util.Optional}, because an executed call may return
 * null.
 *
 * @param <T> the result type of the call
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public sealed interface ExecutionResult<T extends @Nullable Object> {

    /** The call was executed and returned the value. */
    record Executed<T extends @Nullable Object>(T value) implements ExecutionResult<T> {}

    /** The reservation could not be acquired in time, so the call was not executed. */
    record NotAcquired<T extends @Nullable Object>() implements ExecutionResult<T> {}

    /** Returns the value, or {@code other} if the call was not executed. */
    default T orElse(T other) {
        return switch (this) {
            case Executed<T> executed -> executed.value();
            case NotAcquired<T> notAcquired -> other;
        };
    }

    /** Returns the value, or throws the exception of the supplier if the call was not executed. */
    default <X extends Throwable> T orElseThrow(Supplier<? extends X> failure) throws X {
        return switch (this) {
            case Executed<T> executed -> executed.value();
            case NotAcquired<T> notAcquired -> throw failure.get();
        };
    }
}
