// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A disconnect breaks off the calls in flight, and its interrupt does not outlive them. */
class InFlightCallsTest {

    /** More than there are slots. */
    private static final int MANY = 600;

    private final InFlightCalls calls = new InFlightCalls();

    @Test
    void allCallsInFlightAreBrokenOff_howeverManyThereAre() throws Exception {
        CountDownLatch inFlight = new CountDownLatch(MANY);
        List<Future<?>> ends = new ArrayList<>();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < MANY; i++) {
                ends.add(threads.submit(() -> {
                    assertThatThrownBy(() -> calls.run(() -> {
                        inFlight.countDown();
                        new CountDownLatch(1).await();
                        return true;
                    })).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                            .isEqualTo(Kind.OUTCOME_UNKNOWN));
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                }));
            }
            inFlight.await();
            calls.goOffline();
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    @Test
    void noCallBeginsWithoutAConnection() throws Exception {
        AtomicBoolean asked = new AtomicBoolean();
        calls.goOffline();

        assertThatThrownBy(() -> calls.run(() -> asked.getAndSet(true)))
                .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
        assertThat(asked).isFalse();

        calls.goOnline();
        assertThat(calls.run(() -> "answer")).isEqualTo("answer");
    }

    @Test
    void aCallThatIsOverIsNotBrokenOff() throws Exception {
        assertThat(calls.run(() -> "answer")).isEqualTo("answer");

        calls.goOffline();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aForeignInterruptIsLeftToTheCaller() {
        assertThatThrownBy(() -> calls.run(() -> {
            throw new InterruptedException();
        })).isInstanceOf(InterruptedException.class);
    }
}
