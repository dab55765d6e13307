// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import com.github.reservation.internal.base.LeaseTimes;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How to acquire a lock and how long to keep it. Immutable; each method with an argument returns a copy.
 *
 * {@snippet file="com/github/reservation/demo/LeaseExamplesTest.java" region="options"}
 *
 * @param waitTime how long to wait for the lock, zero or less for one attempt; null for the default: the methods {@code try…} do
 *     not wait, the others wait without limit
 * @param leaseTime how long the lock stays held if this process dies; null for the default of the manager
 * @param maxHold how long the lock is held at most, however long the work takes; null for the default of the manager. The lease is
 *     renewed automatically until then. With a {@code maxHold} that is not longer than the lease time nothing is renewed, and the lease
 *     ends after {@code maxHold}
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public record LockOptions(@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Duration maxHold) {

    private static final LockOptions DEFAULTS = new LockOptions(null, null, null);

    /**
     * Makes options.
     *
     * @throws IllegalArgumentException if the lease time or {@code maxHold} is shorter than 1 ms or longer than
     *     {@link Long#MAX_VALUE} ms
     */
    public LockOptions {
        if (leaseTime != null) {
            LeaseTimes.requireValid("leaseTime", leaseTime);
        }
        if (maxHold != null) {
            LeaseTimes.requireValid("maxHold", maxHold);
        }
    }

    /** Returns the options that change no default. */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /** Returns the same options with this time to wait. */
    public LockOptions waitTime(Duration waitTime) {
        return new LockOptions(Objects.requireNonNull(waitTime, "waitTime must not be null"), leaseTime, maxHold);
    }

    /** Returns the same options with this lease time. */
    public LockOptions leaseTime(Duration leaseTime) {
        return new LockOptions(waitTime, Objects.requireNonNull(leaseTime, "leaseTime must not be null"), maxHold);
    }

    /** Returns the same options with this longest hold. */
    public LockOptions maxHold(Duration maxHold) {
        return new LockOptions(waitTime, leaseTime, Objects.requireNonNull(maxHold, "maxHold must not be null"));
    }
}
