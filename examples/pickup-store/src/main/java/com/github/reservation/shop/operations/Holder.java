// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import com.github.reservation.ReservationInfo;
import com.github.reservation.shop.Texts;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lock and its holder. */
public record Holder(
        String domain,
        String identifier,
        String holder,
        Instant since,
        long sinceSeconds,
        long remainingSeconds,
        @Nullable Long fence) {

    /** Returns what tells this acquisition of the lock from the next one. */
    public String acquisition() {
        return holder + " since " + since + " with token " + fence;
    }

    static Holder of(String domain, ReservationInfo held, Instant now) {
        return new Holder(
                domain,
                held.identifier(),
                held.holder(),
                held.since(),
                Math.max(0, Duration.between(held.since(), now).toSeconds()),
                Texts.secondsLeft(held.remaining()),
                held.fencingToken().isPresent() ? held.fencingToken().getAsLong() : null);
    }
}
