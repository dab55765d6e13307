// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.metrics.Meters;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What locks need to know of their manager.
 *
 * @param nameInKey whether the store keeps several domains side by side, so that keys must name theirs
 * @param leaseTime the lease time of a lock that does not say its own
 * @param maxHold how long a lock is renewed at most unless it says so itself; null if the builder did not set it
 * @param closed whether the manager is closed
 */
public record LockDomain(
        String name,
        ReservationKeyBuilder keys,
        boolean nameInKey,
        Duration leaseTime,
        @Nullable Duration maxHold,
        Ticker ticker,
        Meters meters,
        BooleanSupplier closed) {

    /** How long a lock is held at most unless its caller or the builder says so: longer than most work takes. */
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    /** Returns how long a lock with this lease time is held at most, unless it says so itself. */
    Duration maxHold(Duration lease) {
        Duration longest = maxHold == null ? LONGEST_HOLD : maxHold;
        return longest.compareTo(lease) > 0 ? longest : lease;
    }

    /** Throws if the manager is closed. */
    public void requireOpen() {
        if (closed.getAsBoolean()) {
            throw new IllegalStateException("The manager of domain " + name + " is closed");
        }
    }

    /** Returns the key in the store; throws if the identifier breaks the rules for keys, and names the argument then. */
    public String keyOf(String argument, String identifier) {
        String key = keys.build(argument, identifier);
        return nameInKey ? key : identifier;
    }

    /** Returns what all keys in the store start with. */
    public String keyPrefix() {
        return nameInKey ? keys.prefix() : "";
    }

    /** Returns the lock for a message, in one line. */
    public String shown(String identifier) {
        return "[" + Log.oneLine(keys.prefix() + identifier) + "]";
    }

    /** Measures one acquisition. */
    public void measure(long start, String result) {
        if (meters.wantTimes()) {
            meters.recordAcquisition(name, Duration.ofNanos(ticker.nanos() - start), result);
        }
    }
}
