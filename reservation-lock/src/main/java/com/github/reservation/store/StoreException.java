// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says that the store could not answer, and what is known about the call. Any other exception that a store throws counts as
 * {@link Kind#OUTCOME_UNKNOWN}.
 *
 * <p>The message reaches users and logs: say what failed, without the name of the holder.
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public final class StoreException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What became of the call. If in doubt, {@link #OUTCOME_UNKNOWN} is always safe; the others promise that nothing was changed. */
    public enum Kind {
        /**
         * Nothing was changed, because of a race in the store or of a connection that broke before it was used. It is likely to work now:
         * the library calls again at once, up to five times within two seconds.
         */
        CONTENTION,
        /**
         * Nothing was changed, because the store cannot be reached. A caller that waits tries again later; others get an exception.
         */
        UNAVAILABLE,
        /**
         * The call was executed or not: the reply was lost, for example in a timeout. The library finds out: it looks who has the key
         * after an acquisition or a release, and repeats a renewal.
         */
        OUTCOME_UNKNOWN,
        /**
         * Nothing was changed, and every call will fail until somebody repairs the configuration: a table is missing, a password is wrong.
         * All callers get an exception at once, also those of {@code tryLock}.
         */
        MISCONFIGURED
    }

    private final Kind kind;
    private final boolean interrupt;

    /** Creates an exception without a cause. */
    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** Creates an exception. */
    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, false);
    }

    private StoreException(Kind kind, String message, @Nullable Throwable cause, boolean interrupt) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind must not be null");
        this.interrupt = interrupt;
    }

    /** Returns an exception that says that an interrupt broke the call. For the library: a store need not find that out. */
    public static StoreException interrupted(StoreException cause) {
        return new StoreException(
                Kind.OUTCOME_UNKNOWN, "Interrupted while the store was asked: " + cause.getMessage(), cause, true);
    }

    /** Returns what became of the call. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether an interrupt broke the call. */
    public boolean isInterrupt() {
        return interrupt;
    }
}
