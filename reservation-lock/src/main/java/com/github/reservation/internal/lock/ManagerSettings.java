// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.AcquisitionObserver;
import com.github.reservation.Ticker;
import com.github.reservation.internal.metrics.Meters;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a builder passes to the core; the builder has validated it.
 *
 * @param domainInKey whether the store keeps several domains side by side, so that keys must name theirs
 * @param firstPoll how long a refused waiter pauses at least before it asks again; at most {@code longestPoll}
 * @param acquisitionFailed how the message of a failed acquisition begins
 * @param maxHold how long reservations are renewed automatically; null if they are not
 * @param observer who observes acquisitions; null if nobody does
 */
public record ManagerSettings(
        String domain,
        Duration leaseTime,
        boolean domainInKey,
        Duration firstPoll,
        Duration longestPoll,
        Ticker ticker,
        Meters meters,
        String acquisitionFailed,
        @Nullable Duration maxHold,
        @Nullable AcquisitionObserver observer) {

    /** Creates the settings that most backends use. */
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
                "Failed to acquire reservation",
                null,
                null);
    }

    /** Returns the same settings with another beginning of the message. */
    public ManagerSettings acquisitionFailed(String acquisitionFailed) {
        return new ManagerSettings(
                domain, leaseTime, domainInKey, firstPoll, longestPoll, ticker, meters, acquisitionFailed, maxHold,
                observer);
    }

    /** Returns the same settings with automatic renewal, or without if it is null. */
    public ManagerSettings autoRenew(@Nullable Duration maxHold) {
        return new ManagerSettings(
                domain, leaseTime, domainInKey, firstPoll, longestPoll, ticker, meters, acquisitionFailed, maxHold,
                observer);
    }

    /** Returns the same settings with an observer, or without if it is null. */
    public ManagerSettings observer(@Nullable AcquisitionObserver observer) {
        return new ManagerSettings(
                domain, leaseTime, domainInKey, firstPoll, longestPoll, ticker, meters, acquisitionFailed, maxHold,
                observer);
    }
}
