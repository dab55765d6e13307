// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.outbox.OutboxCodec;
import java.time.Duration;

/**
 * How an outbox delivers; a builder has validated it.
 *
 * @param maxAttempts after how many failures an event is parked
 * @param workers how many keys a listener gets at the same time
 * @param pollInterval how long an outbox waits that found nothing
 * @param firstPause how long it waits after the first failure of an event
 * @param leaseTime for how long a lane or a key is leased
 */
public record OutboxPlan(
        OutboxStore store,
        OutboxCodec codec,
        int maxAttempts,
        int workers,
        Duration pollInterval,
        Duration firstPause,
        Duration longestPause,
        Duration leaseTime,
        Ticker ticker,
        OutboxMeters meters) {

    /** Returns the pause after so many failures: it doubles each time. */
    Duration pauseAfter(int attempts) {
        return Backoff.doubled(firstPause, attempts - 1, longestPause);
    }
}
