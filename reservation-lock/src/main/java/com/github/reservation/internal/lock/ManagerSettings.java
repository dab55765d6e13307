// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.Ticker;
import com.github.reservation.internal.metrics.Meters;
import java.time.Duration;

/**
 * What a builder tells the core; the builder has validated it.
 *
 * @param domainInKey whether the store keeps several domains side by side, so that keys must name theirs
 * @param firstPoll how long a refused waiter pauses before it asks again; doubles up to {@code longestPoll}
 * @param acquisitionFailed how the message begins that tells of an acquisition that failed
 */
public record ManagerSettings(
        String domain,
        Duration leaseTime,
        boolean domainInKey,
        Duration firstPoll,
        Duration longestPoll,
        Ticker ticker,
        Meters meters,
        String acquisitionFailed) {

    /** Tells the core what most backends do. */
    public ManagerSettings(
            String domain,
            Duration leaseTime,
            boolean domainInKey,
            Duration firstPoll,
            Duration longestPoll,
            Ticker ticker,
            Meters meters) {
        this(
                domain,
                leaseTime,
                domainInKey,
                firstPoll,
                longestPoll,
                ticker,
                meters,
                "Failed to acquire reservation");
    }
}
