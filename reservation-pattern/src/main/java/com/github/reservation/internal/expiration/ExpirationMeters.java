// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.SourceRun;

/** Where a job reports what it did. Knows nothing of Micrometer, which need not be there. */
public interface ExpirationMeters {

    /** Reports nothing. */
    ExpirationMeters NONE = run -> {};

    /** Reports a run of a source; throws nothing. */
    void record(SourceRun run);

    /** Removes what shows the current state; throws nothing. */
    default void close() {}
}
