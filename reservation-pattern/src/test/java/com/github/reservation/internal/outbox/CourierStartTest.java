// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mockStatic;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.outbox.Delivery;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

/** A courier is so fast that its listener runs before the thread that starts it goes on. */
@Needs(Backend.H2)
class CourierStartTest extends OnH2Outbox {

    private final CountDownLatch called = new CountDownLatch(1);
    private final AtomicBoolean retries = new AtomicBoolean();

    /** The thread of the courier: whoever starts it waits for the listener. */
    private final class FastThread extends Thread {

        FastThread(String name, Runnable task) {
            super(task, name);
            setDaemon(true);
        }

        @Override
        public void start() {
            super.start();
            Actor.awaitUninterruptibly(called);
        }

        private boolean hasNothingToDo() {
            return LockSupport.getBlocker(this) instanceof Courier;
        }
    }

    /** Time stands still, so that there is no other look. */
    @Test
    void aRetryThatTheListenerAsksForAtOnceWakesTheCourier() throws Exception {
        outbox = build(new ManualTicker(), 10, Duration.ofMinutes(5), (method, arguments) -> {
            if (method.equals("nextLane") && retries.get()) {
                goOn.countDown();
            }
        });
        AtomicReference<FastThread> courier = new AtomicReference<>();
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            await().until(() -> courier.get().hasNothingToDo());
            retries.set(true);
            outbox.retry(delivery.id());
            called.countDown();
            goOn.await();
        });
        append("order-1", "1");

        try (MockedStatic<Threads> threads = mockStatic(Threads.class, CALLS_REAL_METHODS)) {
            threads.when(() -> Threads.platform(any(), any())).thenAnswer(call -> {
                String name = call.getArgument(0);
                if (!name.equals("reservation-outbox-" + LISTENER)) {
                    return call.callRealMethod();
                }
                courier.set(new FastThread(name, call.getArgument(1)));
                return courier.get();
            });
            outbox.start();
        }

        awaitEmpty();
    }
}
