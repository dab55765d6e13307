// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lease;

import java.time.Duration;

/** What locks by name need to know of their manager. */
public interface LockDomain {

    String name();

    /** Returns the lease time of a lock that does not say its own. */
    Duration leaseTime();

    /** Returns how long a lock with this lease time is held at most, unless it says so itself. */
    Duration maxHold(Duration leaseTime);

    /** Throws if the manager is closed. */
    void requireOpen();

    /** Returns the key of the lock; throws if the name breaks the rules for keys. */
    String keyOf(String lockName);

    /** Measures one acquisition. */
    void measure(long start, String result);
}
