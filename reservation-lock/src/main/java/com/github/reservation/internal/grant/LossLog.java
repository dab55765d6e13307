// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LostReservation;
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
            countLater();
        }
    }

    private void countLater() {
        boolean started = false;
        try {
            Threads.startVirtual("reservation-loss-log", this::logCount);
            started = true;
        } finally {
            if (!started) {
                losses.set(0); // Else all later losses would only be counted.
            }
        }
    }

    private void logCount() {
        try {
            Thread.sleep(TOGETHER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int more = losses.getAndSet(0) - ONE_BY_ONE;
        if (more > 0) {
            Log.warn(more + " more reservations of domain " + domain + " were lost while they were held", null);
        }
    }
}
