// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.store.Log;

/**
 * How many attempts of a run failed, one after another. If nothing but failures happens, the rows are hardly to blame, and to look for
 * culprits would only burden the database.
 */
final class FailureStreak {

    /** More than it takes to find a few culprits in the largest batch. */
    private static final int MOST = 50;

    private final String source;
    private int failures;

    FailureStreak(String source) {
        this.source = source;
    }

    void succeeded() {
        failures = 0;
    }

    void failed() {
        failures++;
        if (failures == MOST) {
            Log.warn("Source " + source + " failed " + failures + " times in a row."
                    + " Until a row expires, the run tries one row of each batch", null);
        }
    }

    boolean isHopeless() {
        return failures >= MOST;
    }
}
