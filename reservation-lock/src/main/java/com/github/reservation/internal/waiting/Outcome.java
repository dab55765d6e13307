// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants.LossSignal;
import com.github.reservation.store.StoreException;
import org.jspecify.annotations.Nullable;

/** How an acquisition ended. */
public sealed interface Outcome {

    /** Returns the name of the outcome in the meters. */
    String result();

    /**
     * The key is the caller's.
     *
     * @param heardBefore the last signal when the lease was requested, see {@link com.github.reservation.internal.grant.Grants#add}
     */
    record Acquired(Grant grant, @Nullable LossSignal heardBefore) implements Outcome {
        @Override
        public String result() {
            return "acquired";
        }
    }

    /** The key was not free in time. */
    record TimedOut() implements Outcome {
        @Override
        public String result() {
            return "timeout";
        }
    }

    /** The caller was interrupted; its flag is cleared. */
    record Interrupted() implements Outcome {
        @Override
        public String result() {
            return "interrupted";
        }
    }

    /** The store failed. */
    record Failed(StoreException failure) implements Outcome {
        @Override
        public String result() {
            return "error";
        }
    }
}
