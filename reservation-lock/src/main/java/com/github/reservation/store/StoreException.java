// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import org.jspecify.annotations.Nullable;

/** Says that the store gave no answer, and what is known about the question. */
@SuppressWarnings("exports") // Callers need not have the annotation.
public final class StoreException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What became of the operation, and whether it is worth trying again. */
    public enum Kind {
        /** Not done, because of a race in the store or of a connection that broke before it was used: try again at once. */
        CONTENTION,
        /** Not done, the store cannot be reached: try again later. */
        UNAVAILABLE,
        /** Done or not, the reply got lost: look. */
        OUTCOME_UNKNOWN,
        /** Not done, and will fail until the configuration is repaired. */
        MISCONFIGURED
    }

    private final Kind kind;
    private final boolean interrupt;

    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, false);
    }

    private StoreException(Kind kind, String message, @Nullable Throwable cause, boolean interrupt) {
        super(message, cause);
        this.kind = kind;
        this.interrupt = interrupt;
    }

    /** Says that an interrupt broke the call; for the core, a store need not find out. */
    public static StoreException interrupted(StoreException cause) {
        return new StoreException(
                Kind.OUTCOME_UNKNOWN, "Interrupted while the store was asked: " + cause.getMessage(), cause, true);
    }

    public Kind kind() {
        return kind;
    }

    public boolean isInterrupt() {
        return interrupt;
    }
}
