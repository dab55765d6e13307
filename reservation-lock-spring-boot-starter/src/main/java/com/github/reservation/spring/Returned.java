// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a {@link Reserved} method returns. */
enum Returned {
    /** A value, or nothing. */
    VALUE,
    /** Any object: only a call shows which one. */
    OBJECT,
    /** An {@link Optional}. */
    OPTIONAL,
    /** A future: the lock is held until it completes. */
    FUTURE;

    /** Returns the result of a call that is skipped. */
    @Nullable Object skipped() {
        return switch (this) {
            case VALUE, OBJECT -> null;
            case OPTIONAL -> Optional.empty();
            case FUTURE -> CompletableFuture.completedFuture(null);
        };
    }
}
