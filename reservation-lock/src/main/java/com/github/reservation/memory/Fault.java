// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.internal.store.StoreException.Kind;

/** A way for an {@link InMemoryStore} to fail, as real stores do. */
public enum Fault {

    /** The store cannot be reached; nothing is done. */
    UNAVAILABLE(Kind.UNAVAILABLE),

    /** The store does what it is asked, but the reply gets lost. */
    LOST_REPLY(Kind.OUTCOME_UNKNOWN),

    /**
     * The store undoes what it is asked because it lost a race. The library tries again after short pauses, which are
     * measured by the ticker: if a test moves the ticker by hand, another thread must move it on.
     */
    CONTENTION(Kind.CONTENTION),

    /** The store is not set up, as when a table is missing. */
    MISCONFIGURED(Kind.MISCONFIGURED);

    final Kind kind;

    Fault(Kind kind) {
        this.kind = kind;
    }
}
