// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import java.time.Duration;

/** Where claims report what happens. Knows nothing of Micrometer, which need not be there. */
public interface ClaimMeters {

    /** Reports nothing. */
    ClaimMeters NONE = new ClaimMeters() {
        @Override
        public boolean isOn() {
            return false;
        }
    };

    /** What is counted. */
    enum Count {
        RESERVED, CONFLICTS, CONFIRMED, RELEASED, EXPIRED
    }

    /** Returns whether anything is measured at all. */
    default boolean isOn() {
        return true;
    }

    /** Counts a change of a claim of a type, or a conflict. */
    default void count(Count what, String type) {}

    /** Times one call. */
    default void time(String operation, String result, Duration elapsed) {}
}
