// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants: the key, for how long, and how long it waits.
 *
 * @param maxHold how long a new lease is renewed automatically; null if it is not
 * @param holder the name of the holder, which the caller may have used before; null for a new name for each acquisition
 */
public record Wanted(
        String identifier,
        String key,
        Duration leaseTime,
        @Nullable Duration maxHold,
        Patience patience,
        @Nullable String holder) {

    /** Wants the key under a new name. */
    public Wanted(String identifier, String key, Duration leaseTime, @Nullable Duration maxHold, Patience patience) {
        this(identifier, key, leaseTime, maxHold, patience, null);
    }
}
