// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a listener is told on the thread that acquires, and that it can do no harm. */
class AcquiringTest {

    private final InMemoryStore store = new InMemoryStore();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicBoolean interrupting = new AtomicBoolean();

    private ReservationManager observed(Function<String, ReservationListener.Acquiring> acquiring) {
        ReservationManager manager =
                ReservationManager.inMemory(store).domain("orders").build();
        manager.onEvent(new ReservationListener() {
            @Override
            public Acquiring onAcquiring(String domain) {
                return acquiring.apply(domain);
            }
        });
        return manager;
    }

    private ReservationManager observed() {
        return observed(domain -> {
            Thread began = Thread.currentThread();
            told.add("begin " + domain);
            if (interrupting.getAndSet(false)) {
                began.interrupt();
            }
            return (result, failure) -> told.add(
                    result + (failure == null ? "" : " with a failure")
                            + (began == Thread.currentThread() ? "" : " on another thread"));
        });
    }

    @Test
    void reservationsAndLocksAreObservedAndASecondLockOfTheSameThreadIsNot() throws InterruptedException {
        try (ReservationManager manager = observed()) {
            manager.run("42", held -> manager.getReservation("42").tryLock());
            try (HeldLock lock = manager.acquire("43")) {
                assertThat(lock.isHeld()).isTrue();
            }
        }

        assertThat(told).containsExactly("begin orders", "acquired", "begin orders", "acquired");
    }

    @Test
    void aBusyKeyAnInterruptAndAFailureAreResults() {
        try (ReservationManager manager = observed();
                ReservationManager other = ReservationManager.inMemory(store).domain("orders").build()) {
            Reservation busy = manager.getReservation("42");
            other.run("42", held -> {
                assertThat(busy.tryLock()).isFalse();
                interrupting.set(true);
                assertThatExceptionOfType(InterruptedException.class)
                        .isThrownBy(() -> busy.tryLock(Duration.ofMinutes(1), Duration.ofMinutes(1)));
            });
            store.failWith(Fault.UNAVAILABLE);
            assertThatExceptionOfType(ReservationAcquisitionException.class)
                    .isThrownBy(() -> manager.tryAcquire("43"));
        }

        assertThat(told).containsExactly(
                "begin orders", "timeout", "begin orders", "interrupted", "begin orders", "error with a failure");
    }

    @Test
    void aListenerThatFailsDoesNotAffectTheLock() {
        Function<String, ReservationListener.Acquiring> failsToBegin = domain -> {
            throw new ArithmeticException("begin");
        };
        Function<String, ReservationListener.Acquiring> failsToEnd = domain -> (result, failure) -> {
            throw new ArithmeticException("end");
        };
        for (Function<String, ReservationListener.Acquiring> listener : List.of(failsToBegin, failsToEnd)) {
            try (ReservationManager manager = observed(listener)) {
                manager.run("42", held -> assertThat(held.isHeld()).isTrue());
                assertThat(manager.getReservation("42").isLocked()).isFalse();
            }
        }
    }
}
