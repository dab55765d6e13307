// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import java.time.Duration;

/** For how long Hazelcast is asked to keep a key locked. */
final class LockTimes {

    /**
     * Hazelcast ends a lock up to a second early, because it ends all locks together whose end falls into the same second. The
     * rest is for clocks that run at different rates, and for the library's own unlock, which must come before Hazelcast's.
     */
    private static final Duration MARGIN = Duration.ofMillis(1500);

    /** For a lock that is unlocked at once, by a process that may pause meanwhile. */
    static final Duration A_MOMENT = Duration.ofSeconds(5);

    /** Hazelcast counts seconds in an int; beyond that it would end a lock at once. */
    private static final Duration LONGEST = Duration.ofDays(365 * 50);

    private LockTimes() {}

    /** Returns the time to ask for, so that a lease that begins at the end of {@code patience} does not end early. */
    static Duration of(Duration leaseTime, Duration patience) {
        return capped(leaseTime).plus(patience).plus(MARGIN);
    }

    /** Returns the time rounded up, as the values of a map need it. */
    static Duration wholeSeconds(Duration leaseTime) {
        return Duration.ofSeconds(capped(leaseTime).plusNanos(999_999_999).toSeconds());
    }

    private static Duration capped(Duration leaseTime) {
        return leaseTime.compareTo(LONGEST) > 0 ? LONGEST : leaseTime;
    }
}
