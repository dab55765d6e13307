// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.waiting.PollIntervals;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a builder passes to the core; the builder has validated it.
 *
 * @param keys the keys of the domain
 * @param domainInKey whether the store keeps several domains side by side, so that keys must name theirs
 * @param leaseTime the lease time of a lock that does not say its own
 * @param polls how a refused waiter pauses before it asks again
 * @param acquisitionFailed how the message of a failed acquisition begins
 * @param maxHold how long reservations are renewed automatically; null if they are not
 * @param holderLabel what this process is called in the names of holders; null for host and process id
 */
public record ManagerSettings(
        ReservationKeyBuilder keys,
        boolean domainInKey,
        Duration leaseTime,
        PollIntervals polls,
        Ticker ticker,
        Meters meters,
        String acquisitionFailed,
        @Nullable Duration maxHold,
        @Nullable String holderLabel) {

    /** How long a lock is held at most unless its caller or the builder says so: longer than most work takes. */
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

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
                new ReservationKeyBuilder(domain),
                domainInKey,
                leaseTime,
                new PollIntervals(firstPoll, longestPoll),
                ticker,
                meters,
                "Failed to acquire reservation",
                null,
                null);
    }

    /** Returns the same settings with another beginning of the message. */
    public ManagerSettings acquisitionFailed(String acquisitionFailed) {
        return new ManagerSettings(
                keys, domainInKey, leaseTime, polls, ticker, meters, acquisitionFailed, maxHold, holderLabel);
    }

    /** Returns the same settings with automatic renewal, or without if it is null. */
    public ManagerSettings autoRenew(@Nullable Duration maxHold) {
        return new ManagerSettings(
                keys, domainInKey, leaseTime, polls, ticker, meters, acquisitionFailed, maxHold, holderLabel);
    }

    /** Returns the same settings with this name of the process, or the default if it is null. */
    public ManagerSettings holderLabel(@Nullable String holderLabel) {
        return new ManagerSettings(
                keys, domainInKey, leaseTime, polls, ticker, meters, acquisitionFailed, maxHold, holderLabel);
    }

    public String domain() {
        return keys.domain();
    }

    /** Returns how long work and handles with this lease time are held at most, unless their options say so. */
    Duration maxHold(Duration lease) {
        Duration longest = maxHold == null ? LONGEST_HOLD : maxHold;
        return longest.compareTo(lease) > 0 ? longest : lease;
    }

    /** Returns the key in the store; throws if the identifier breaks the rules for keys, and names the argument then. */
    String keyOf(String argument, String identifier) {
        String key = keys.build(argument, identifier);
        return domainInKey ? key : identifier;
    }

    /** Returns what all keys in the store start with. */
    String keyPrefix() {
        return domainInKey ? keys.prefix() : "";
    }

    /** Returns the lock for a message, in one line. */
    String shown(String identifier) {
        return "[" + Log.oneLine(keys.prefix() + identifier) + "]";
    }

    ReservationAcquisitionException failed(String identifier, StoreException failure) {
        String message = acquisitionFailed + ' ' + shown(identifier) + ": " + failure.getMessage();
        return new ReservationAcquisitionException(domain(), identifier, message, failure);
    }

    ReservationExpiredException expired(String identifier) {
        return new ReservationExpiredException(domain(), identifier);
    }

    /** Measures one acquisition. */
    void measure(long start, String result) {
        if (meters.wantTimes()) {
            meters.recordAcquisition(domain(), Duration.ofNanos(ticker.nanos() - start), result);
        }
    }
}
