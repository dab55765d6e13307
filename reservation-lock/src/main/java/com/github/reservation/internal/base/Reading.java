// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import java.time.Duration;

/**
 * One reading of both clocks of a ticker. The monotonic one measures; the wall clock only shows that the machine was suspended
 * meanwhile, because then the monotonic one stands still.
 */
public record Reading(long nanos, long epochMillis) {

    public static Reading of(Ticker ticker) {
        return new Reading(ticker.nanos(), ticker.epochMillis());
    }

    public Reading plus(Duration duration) {
        long span = LeaseTimes.nanos(duration);
        return new Reading(nanos + span, epochMillis + span / LeaseTimes.NANOS_PER_MILLI);
    }
}
