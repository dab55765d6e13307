// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants.LossSignal;
import com.github.reservation.store.StoreException;
import org.jspecify.annotations.Nullable;

/** How an acquisition ended. */
public sealed interface Outcome {

    /**
     * The key is the caller's.
     *
     * @param heardBefore the last signal when the lease was requested, see {@link com.github.reservation.internal.grant.Grants#add}
     */
    record Acquired(Grant grant, @Nullable LossSignal heardBefore) implements Outcome {}

    /** The key was not free in time. */
    record TimedOut() implements Outcome {}

    /** The caller was interrupted; its flag is cleared. */
    record Interrupted() implements Outcome {}

    /** The store failed. */
    record Failed(StoreException failure) implements Outcome {}

    /** Returns the name of the outcome in the meters. */
    default String result() {
        return switch (this) {
            case Acquired acquired -> "acquired";
            case TimedOut timedOut -> "timeout";
            case Interrupted interrupted -> "interrupted";
            case Failed failed -> "error";
        };
    }
}
