// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ManualTickerTest {

    private final ManualTicker ticker = new ManualTicker();

    @Test
    void timeStandsStillUntilItIsMoved() {
        long start = ticker.nanos();

        assertThat(ticker.nanos()).isEqualTo(start);
        ticker.advance(Duration.ofMillis(3));
        ticker.advance(Duration.ofNanos(4));
        ticker.advance(Duration.ZERO);
        assertThat(ticker.nanos() - start).isEqualTo(3_000_004);
    }

    @Test
    void timeDoesNotGoBack() {
        long start = ticker.nanos();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ticker.advance(Duration.ofMillis(-1)))
                .withMessage("duration must not be negative, but is PT-0.001S");

        assertThat(ticker.nanos()).isEqualTo(start);
    }

    @Test
    void movingTimeWakesExactlyWhoIsDue() throws InterruptedException {
        Sleeper first = new Sleeper(10, Thread.ofPlatform());
        Sleeper second = new Sleeper(20, Thread.ofPlatform());
        Sleeper virtual = new Sleeper(20, Thread.ofVirtual());
        Sleeper last = new Sleeper(30, Thread.ofPlatform());

        ticker.advance(Duration.ofMillis(9));
        ticker.advance(Duration.ofMillis(1));
        first.awaitEnd();
        assertThat(second.isParked() && virtual.isParked() && last.isParked()).isTrue();

        ticker.advance(Duration.ofMillis(10));
        second.awaitEnd();
        virtual.awaitEnd();
        assertThat(last.isParked()).isTrue();

        ticker.advance(Duration.ofDays(1));
        last.awaitEnd();
    }

    @Test
    void aThreadThatIsDueDoesNotPark() {
        ticker.advance(Duration.ofSeconds(1));

        ticker.parkUntil(this, ticker.nanos());
        ticker.parkUntil(this, ticker.nanos() - 1);
    }

    @Test
    void anUnparkEndsAPark() throws InterruptedException {
        AtomicBoolean released = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().start(() -> {
            while (!released.get()) {
                ticker.parkUntil(this, ticker.nanos() + 1);
            }
        });
        awaitParked(thread);

        released.set(true);
        LockSupport.unpark(thread);

        thread.join();
    }

    @Test
    void anUnparkBeforeAParkIsNotLost() {
        LockSupport.unpark(Thread.currentThread());

        ticker.parkUntil(this, ticker.nanos() + 1);

        assertThat(ticker.nanos()).isZero();
    }

    @Test
    void anInterruptEndsAParkAndStays() throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                ticker.parkUntil(this, ticker.nanos() + 1);
            }
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        awaitParked(thread);

        thread.interrupt();

        thread.join();
        assertThat(interrupted).isTrue();
    }

    @Test
    void timeThatMovesWhileAThreadParksIsNotMissed() throws InterruptedException {
        AtomicInteger reached = new AtomicInteger();
        Thread thread = Thread.ofPlatform().start(() -> {
            for (int i = 1; i <= 10_000; i++) {
                while (ticker.nanos() < i) {
                    ticker.parkUntil(this, i);
                }
                reached.set(i);
            }
        });

        for (int i = 1; i <= 10_000; i++) {
            ticker.advance(Duration.ofNanos(1));
            while (reached.get() < i) {
                Thread.onSpinWait();
            }
        }

        thread.join();
    }

    @Test
    void threadsThatMoveTimeTogetherLoseNoneOfIt() throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    ticker.advance(Duration.ofNanos(1));
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(ticker.nanos()).isEqualTo(40_000);
    }

    @Test
    void aWaitOfAnHourTakesNoTime() throws InterruptedException {
        InMemoryStore store = new InMemoryStore(ticker);
        Duration lease = Duration.ofHours(2);
        try (ReservationManager holder =
                ReservationManager.inMemory(store).domain("orders").leaseTime(lease).build();
                ReservationManager waiter =
                        ReservationManager.inMemory(store).domain("orders").leaseTime(lease).build()) {
            holder.getReservation("42").lock();
            AtomicBoolean timedOut = new AtomicBoolean();
            Thread thread = Thread.ofPlatform().start(() -> timedOut.set(!acquiresWithinAnHour(waiter)));
            awaitParked(thread);

            ticker.advance(Duration.ofHours(1));

            thread.join();
            assertThat(timedOut).isTrue();
        }
    }

    private static boolean acquiresWithinAnHour(ReservationManager manager) {
        Reservation reservation = manager.getReservation("42");
        try {
            return reservation.tryLock(1, TimeUnit.HOURS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitParked(Thread thread) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> LockSupport.getBlocker(thread) != null);
    }

    /** Sleeps until the ticker reads a time, and counts how often it woke. */
    private final class Sleeper {

        private final AtomicInteger wakeUps = new AtomicInteger();
        private final Thread thread;

        Sleeper(long millis, Thread.Builder builder) {
            long deadline = ticker.nanos() + Duration.ofMillis(millis).toNanos();
            this.thread = builder.start(() -> {
                while (deadline - ticker.nanos() > 0) {
                    ticker.parkUntil(this, deadline);
                    wakeUps.incrementAndGet();
                }
            });
            awaitParked(thread);
        }

        boolean isParked() {
            return wakeUps.get() == 0 && LockSupport.getBlocker(thread) == this;
        }

        void awaitEnd() throws InterruptedException {
            thread.join();
            assertThat(wakeUps).hasValue(1);
        }
    }
}
