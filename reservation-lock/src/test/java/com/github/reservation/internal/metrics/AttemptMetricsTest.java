// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.memory.Fault;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How attempts to lock are counted and timed. */
@Timeout(30)
class AttemptMetricsTest extends MeteredManager {

    @Test
    void anAcquisitionIsCountedAndTimed() {
        reservation.lock();

        assertAttempts("acquired", 1, Duration.ZERO);
    }

    @Test
    void everyKindOfCallIsOneAttempt() throws InterruptedException {
        reservation.lock();
        reservation.unlock();
        reservation.lockInterruptibly();
        reservation.unlock();
        reservation.tryLock();
        reservation.unlock();
        reservation.tryLock(1, TimeUnit.SECONDS);
        reservation.unlock();
        reservation.tryLock(Duration.ofSeconds(1), LEASE);
        reservation.unlock();
        manager.run("42", held -> {});
        manager.call("42", held -> 1);

        assertAttempts("acquired", 7, Duration.ZERO);
    }

    @Test
    void nothingButAnAttemptIsOne() {
        reservation.lock();

        reservation.renew();
        reservation.renew(LEASE);
        reservation.isLocked();
        reservation.isHeldByCurrentThread();
        reservation.getRemainingLeaseTime();
        manager.listReservations();
        reservation.forceUnlock();

        assertAttempts("acquired", 1, Duration.ZERO);
    }

    @Test
    void aReentrantCallIsAnAttemptOfItsOwn() {
        reservation.lock();
        reservation.lock();
        manager.getReservation("42").tryLock();

        assertAttempts("acquired", 3, Duration.ZERO);
    }

    @Test
    void aRefusalIsATimeout() {
        elsewhere().lock();

        assertThat(reservation.tryLock()).isFalse();

        assertAttempts("timeout", 1, Duration.ZERO);
    }

    @Test
    void aWaitInVainIsTimedToItsEnd() throws Exception {
        elsewhere().lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> reservation.tryLock(30, TimeUnit.SECONDS));

        ticker.advance(Duration.ofSeconds(30));

        assertThat(waiting.result()).isFalse();
        assertAttempts("timeout", 1, Duration.ofSeconds(30));
    }

    @Test
    void aWaitThatSucceedsIsTimedToItsEnd() throws Exception {
        Reservation inTheWay = elsewhere();
        inTheWay.lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> reservation.tryLock(1, TimeUnit.HOURS));

        ticker.advance(Duration.ofMillis(1));
        inTheWay.unlock();

        assertThat(waiting.result()).isTrue();
        assertAttempts("acquired", 1, Duration.ofMillis(1));
    }

    @Test
    void anInterruptedWaitIsCountedAsSuch() {
        elsewhere().lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> {
            reservation.lockInterruptibly();
            return true;
        });

        waiting.thread.interrupt();

        assertThatThrownBy(waiting::result).hasCauseInstanceOf(InterruptedException.class);
        assertAttempts("interrupted", 1, Duration.ZERO);
    }

    @Test
    void anInterruptBeforeTheCallIsCountedAsSuch() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> reservation.tryLock(0, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);

        assertAttempts("interrupted", 1, Duration.ZERO);
    }

    @Test
    void tryLockOnBackendFailure_falseAndResultError() {
        store.failWith(Fault.UNAVAILABLE);

        assertThat(reservation.tryLock()).isFalse();

        assertAttempts("error", 1, Duration.ZERO);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "MISCONFIGURED"})
    void aLockThatThrowsIsAnError(Fault fault) {
        store.failWith(fault);

        assertThatThrownBy(reservation::lock).isInstanceOf(ReservationAcquisitionException.class);

        assertAttempts("error", 1, Duration.ZERO);
    }

    @Test
    void aTryThatThrowsIsAnError() {
        store.failWith(Fault.MISCONFIGURED);

        assertThatThrownBy(reservation::tryLock).isInstanceOf(ReservationAcquisitionException.class);

        assertAttempts("error", 1, Duration.ZERO);
    }

    @Test
    void aWaitThatEndsWithItsManagerIsAnError() {
        elsewhere().lock();
        Waiting<Boolean> waiting = new Waiting<>(() -> reservation.tryLock(1, TimeUnit.HOURS));

        manager.close();

        assertThatThrownBy(waiting::result).hasCauseInstanceOf(IllegalStateException.class);
        assertAttempts("error", 1, Duration.ZERO);
    }

    @Test
    void aReentrantCallSucceedsWithoutTheStore() {
        reservation.lock();
        store.failWith(Fault.UNAVAILABLE);

        reservation.lock();

        assertAttempts("acquired", 2, Duration.ZERO);
    }

    /** A call on a thread of its own that is parked by now. */
    private static final class Waiting<T> {

        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Thread thread;

        Waiting(Callable<T> call) {
            this.thread = Thread.ofPlatform().daemon().start(() -> {
                try {
                    result.complete(call.call());
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
            await().pollInterval(Duration.ofMillis(1)).until(() -> LockSupport.getBlocker(thread) != null);
        }

        T result() throws Exception {
            return result.get(10, TimeUnit.SECONDS);
        }
    }
}
