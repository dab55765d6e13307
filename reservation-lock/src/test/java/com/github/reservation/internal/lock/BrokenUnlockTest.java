// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.Actor;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An unlock that fails in the middle with an error, wherever it looks at the clock. */
class BrokenUnlockTest {

    private static final Duration LEASE = Duration.ofHours(1);

    private final BreakingTicker ticker = new BreakingTicker();

    /** Time stands still, but for one thread that at some look at the clock has no memory left. */
    private static final class BreakingTicker implements Ticker {

        private final Ticker real = new ManualTicker();
        private volatile Thread broken;
        private int looks;

        /** Runs the action; returns whether it failed at the look that comes after so many. */
        boolean breaks(int looksBefore, Runnable action) {
            looks = looksBefore;
            broken = Thread.currentThread();
            try {
                action.run();
                return false;
            } catch (OutOfMemoryError e) {
                return true;
            } finally {
                broken = null;
            }
        }

        @Override
        public long nanos() {
            if (Thread.currentThread() == broken && looks-- == 0) {
                throw new OutOfMemoryError("for a moment");
            }
            return real.nanos();
        }

        @Override
        public long epochMillis() {
            return real.epochMillis();
        }

        @Override
        public void parkUntil(Object blocker, long deadline) {
            real.parkUntil(blocker, deadline);
        }
    }

    private ReservationManager manager() {
        return ReservationManager.inMemory(new InMemoryStore(ticker)).domain("core").leaseTime(LEASE).build();
    }

    @Test
    void theHoldIsNotForgottenBeforeItsGrantHasEnded() {
        boolean broke = true;
        for (int looks = 0; broke; looks++) {
            try (ReservationManager manager = manager()) {
                Reservation reservation = manager.getReservation("42");
                reservation.lock();

                broke = ticker.breaks(looks, reservation::unlock);

                if (!((StoreReservationManager) manager).grants().isEmpty()) {
                    reservation.unlock();
                }
                ManagerProbe probe = new ManagerProbe(manager);
                Awaitility.await().pollDelay(Duration.ZERO).until(probe::isEmpty);
                assertThat(reservation.isLocked()).as("after %s looks", looks).isFalse();
            }
        }
    }

    @Test
    void theNextThreadGetsTheKey() throws Exception {
        boolean broke = true;
        for (int looks = 0; broke; looks++) {
            try (ReservationManager manager = manager(); Actor next = new Actor("next")) {
                Reservation reservation = manager.getReservation("42");
                reservation.lock();
                Future<?> waiting = next.starts(() -> reservation.lock());
                Awaitility.await().pollDelay(Duration.ZERO).until(next::isQueued);

                broke = ticker.breaks(looks, reservation::unlock);

                if (reservation.isHeldByCurrentThread()) {
                    reservation.unlock();
                }
                Awaitility.await("after " + looks + " looks").pollDelay(Duration.ZERO).until(waiting::isDone);
                next.does(reservation::unlock);
            }
        }
    }
}
