// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an {@link InMemoryStore} does when a test makes it fail, seen from outside. */
class FaultsTest {

    private final InMemoryStore store = new InMemoryStore();
    private final ReservationManager manager =
            ReservationManager.inMemory(store).domain("orders").build();
    private final Reservation reservation = manager.getReservation("42");

    @AfterEach
    void close() {
        store.recover();
        manager.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyCallFailsUntilTheStoreRecovers(Fault fault) {
        store.failWith(fault);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(reservation::isLocked)
                    .isInstanceOf(ReservationException.class)
                    .cause()
                    .hasMessage("Made to fail: " + fault);
        }
        store.recover();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void asManyCallsFailAsWereAskedFor() {
        store.failNext(2, Fault.UNAVAILABLE);

        assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);
        assertThatThrownBy(manager::listReservations).isInstanceOf(ReservationException.class);
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void theLastPlanCounts() {
        store.failWith(Fault.MISCONFIGURED);
        store.failNext(1, Fault.UNAVAILABLE);

        assertThat(reservation.tryLock()).isFalse();
        assertThat(reservation.tryLock()).isTrue();
    }

    @Test
    void recoveryEndsAPlanEarly() {
        store.failNext(100, Fault.UNAVAILABLE);

        store.recover();

        assertThat(reservation.tryLock()).isTrue();
    }

    @Test
    void threadsTogetherSeeAsManyFailuresAsWereAskedFor() throws InterruptedException {
        store.failNext(500, Fault.UNAVAILABLE);
        AtomicInteger failures = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);

        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = Thread.ofPlatform().start(() -> {
                awaitUninterrupted(start);
                for (int i = 0; i < 500; i++) {
                    countFailure(failures);
                }
            });
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failures).hasValue(500);
    }

    private void countFailure(AtomicInteger failures) {
        try {
            reservation.isLocked();
        } catch (ReservationException e) {
            failures.incrementAndGet();
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anUnavailableStoreDoesNothing() {
        store.failNext(1, Fault.UNAVAILABLE);

        assertThat(reservation.tryLock()).isFalse();

        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void anUnavailableStoreMakesALockThrow() {
        store.failNext(1, Fault.UNAVAILABLE);

        assertThatThrownBy(reservation::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessage("Failed to acquire reservation [orders::42]: Made to fail: UNAVAILABLE");

        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void aLostReplyIsNoLostLock() {
        store.failNext(1, Fault.LOST_REPLY);

        assertThat(reservation.tryLock()).isTrue();

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void aLostReplyToAReleaseIsNoLostRelease() {
        reservation.lock();
        store.failNext(1, Fault.LOST_REPLY);

        reservation.unlock();

        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void whatWasTakenWithoutAReplyIsGivenBackInTheEnd() {
        store.failWith(Fault.LOST_REPLY);

        assertThat(reservation.tryLock()).isFalse();

        store.recover();
        await().atMost(Duration.ofSeconds(10)).until(() -> !reservation.isLocked());
    }

    @Test
    void contentionIsTriedAgainFiveTimes() {
        store.failNext(5, Fault.CONTENTION);

        assertThat(reservation.tryLock()).isTrue();
    }

    @Test
    void contentionThatGoesOnIsAFailure() {
        store.failNext(6, Fault.CONTENTION);

        assertThat(reservation.tryLock()).isFalse();

        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void aStoreThatIsNotSetUpDoesNotReadAsBusy() {
        store.failNext(2, Fault.MISCONFIGURED);

        assertThatThrownBy(reservation::tryLock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("Made to fail: MISCONFIGURED");
        assertThatThrownBy(reservation::lock).isInstanceOf(ReservationAcquisitionException.class);

        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void theTestsOwnCallsDoNotFail() {
        reservation.lock();
        store.failWith(Fault.UNAVAILABLE);

        assertThat(store.expireNow(reservation.getReservationKey())).isTrue();

        store.recover();
        assertThat(reservation.isLocked()).isFalse();
    }
}
