// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.outbox.OutboxCodec;
import java.time.Duration;

/**
 * How an outbox delivers; a builder has validated it.
 *
 * @param retry when an event is tried again, and when it is parked
 * @param workers how many keys a listener gets at the same time
 * @param pageBytes how much is read at once
 * @param largestEvent how many bytes an event may have
 * @param absence when a listener counts as absent
 * @param pollInterval how long an outbox waits that found nothing
 * @param leaseTime for how long a lane is leased
 */
public record OutboxPlan(
        OutboxStore store,
        OutboxCodec codec,
        Retry retry,
        int workers,
        int pageBytes,
        int largestEvent,
        Absence absence,
        Duration pollInterval,
        Duration leaseTime,
        Ticker ticker,
        OutboxMeters meters) {

    /**
     * When an event is tried again.
     *
     * @param until the sum of the pauses after which it is parked
     */
    public record Retry(Duration firstPause, Duration longestPause, Duration until) {

        /** Returns the pause after so many attempts: it doubles each time. */
        Duration pauseAfter(int attempts) {
            return Backoff.doubled(firstPause, attempts - 1, longestPause);
        }

        /** Returns after how many attempts an event is parked. */
        int mostAttempts() {
            int attempts = 1;
            Duration sum = Duration.ZERO;
            for (; sum.compareTo(until) < 0; attempts++) {
                Duration pause = pauseAfter(attempts);
                if (pause.equals(longestPause)) {
                    long more = until.minus(sum).plus(pause).minusNanos(1).dividedBy(pause);
                    return (int) Math.min(Integer.MAX_VALUE - 1, attempts + more);
                }
                sum = sum.plus(pause);
            }
            return attempts;
        }
    }

    /**
     * When a listener counts as absent, or a type that it no longer wants.
     *
     * @param after how long no instance has registered it
     * @param drops whether it is forgotten then
     */
    public record Absence(Duration after, boolean drops) {}
}
