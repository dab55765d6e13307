// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.store.StoreException.Kind;

/** How an {@link InMemoryStore} can fail, as real stores do. */
public enum Fault {

    /** The store cannot be reached and does nothing. */
    UNAVAILABLE(Kind.UNAVAILABLE),

    /** The store executes the call, but the reply gets lost. */
    LOST_REPLY(Kind.OUTCOME_UNKNOWN),

    /**
     * The store rolls the call back because of a race. The library retries after short pauses, which the ticker measures: with a
     * {@link ManualTicker}, another thread must advance it.
     */
    CONTENTION(Kind.CONTENTION),

    /** The store is misconfigured, for example because a table is missing. */
    MISCONFIGURED(Kind.MISCONFIGURED);

    final Kind kind;

    Fault(Kind kind) {
        this.kind = kind;
    }
}
