// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.base.Log;

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

    /** Counts an attempt. One that expired nothing because others had the rows says nothing. */
    void count(Outcome outcome) {
        if (!(outcome instanceof Outcome.Committed committed)) {
            failed();
        } else if (!committed.expired().isEmpty()) {
            failures = 0;
        } else if (!committed.rejected().isEmpty()) {
            failed();
        }
    }

    private void failed() {
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
