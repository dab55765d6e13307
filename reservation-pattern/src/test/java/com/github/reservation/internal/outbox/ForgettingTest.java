// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Registration;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.outbox.Delivery;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A listener is forgotten while the other one of the same instance goes on. */
@Needs(Backend.H2)
class ForgettingTest extends OnH2Outbox {

    private static final Duration LEASE = Duration.ofMinutes(5);

    private final ManualTicker ticker = new ManualTicker();

    /** With many events that takes long: longer than a lease, and than a listener stays registered. */
    @Test
    void theOtherOneGetsItsEventsAndKeepsItsLease() throws Exception {
        CountDownLatch forgetting = new CountDownLatch(1);
        CountDownLatch mayForget = new CountDownLatch(1);
        AtomicInteger renewals = new AtomicInteger();
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {
            if (method.equals("discard")) {
                forgetting.countDown();
                mayForget.await();
            } else if (method.equals("record")) {
                renewals.incrementAndGet();
            }
        });
        Registration gone = outbox.subscribe("gone", Paid.class, this::note);
        outbox.deliverNow();
        gone.close();
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            note(event, delivery);
            if (event.order().equals("slow")) {
                goOn.await();
            }
        });
        append("order-1", "slow");
        outbox.start();
        await().until(() -> arrived.contains("slow"));
        ticker.advance(Duration.ofSeconds(1));
        await().until(() -> count("_KEYS") == 1);
        try (Actor operator = new Actor("operator")) {
            Future<Boolean> forgotten = operator.starts(() -> outbox.forget("gone"));
            forgetting.await();

            ticker.advance(Courier.REGISTERED_EVERY);
            append("order-2", "2");
            await().until(() -> {
                ticker.advance(Courier.BEAT);
                return arrived.contains("2");
            });
            ticker.advance(LEASE.dividedBy(2));
            await().until(() -> renewals.get() > 0);

            mayForget.countDown();
            assertThat(Actor.result(forgotten)).isTrue();
        } finally {
            mayForget.countDown();
        }
        goOn.countDown();
        awaitEmpty();
        assertThat(arrived).containsExactly("slow", "2");
    }
}
