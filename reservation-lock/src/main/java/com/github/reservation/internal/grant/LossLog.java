// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LostReservation;
import com.github.reservation.internal.base.Clockwork;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.base.Threads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Logs losses: the first few of a second one by one, the others as a count. One outage can end thousands of holds. */
final class LossLog {

    private static final int ONE_BY_ONE = 10;
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final String domain;
    private final AtomicInteger losses = new AtomicInteger();
    private final Clockwork.Alarm end = new Clockwork.Alarm(TOGETHER, woken -> endIfDue());
    private volatile long endsAt;

    LossLog(String domain) {
        this.domain = domain;
    }

    void log(LostReservation lost) {
        int number = losses.incrementAndGet();
        if (number <= ONE_BY_ONE) {
            Log.warn("Reservation " + domain + ReservationKeyBuilder.DELIMITER + lost.identifier()
                    + " was lost while it was held: " + lost.reason(), null);
        }
        if (number == 1) {
            countUntilTheEnd();
        }
    }

    private void countUntilTheEnd() {
        endsAt = System.nanoTime() + TOGETHER.toNanos();
        boolean set = false;
        try {
            end.set(endsAt);
            set = true;
        } finally {
            if (!set) {
                losses.set(0); // Else all later losses would only be counted.
            }
        }
    }

    private long endIfDue() {
        long left = endsAt - System.nanoTime();
        if (left > 0) {
            return left;
        }
        Threads.execute(this::logCount); // If the system has no thread left, it is tried again.
        return Clockwork.OVER;
    }

    private void logCount() {
        int more = losses.getAndSet(0) - ONE_BY_ONE;
        if (more > 0) {
            Log.warn(more + " more reservations of domain " + domain + " were lost while they were held", null);
        }
    }
}
