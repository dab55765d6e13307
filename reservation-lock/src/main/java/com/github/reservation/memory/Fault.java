// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

/** A way for an {@link InMemoryStore} to fail, as real stores do. */
public enum Fault {

    /** The store cannot be reached; nothing is done. */
    UNAVAILABLE,

    /** The store does what it is asked, but the reply gets lost. */
    LOST_REPLY,

    /**
     * The store undoes what it is asked because of a race with somebody else. The library tries again after short pauses,
     * which are measured by the ticker: one that is moved by hand must be moved on, by another thread.
     */
    CONTENTION,

    /** The store is not set up, as when a table is missing. */
    MISCONFIGURED
}
