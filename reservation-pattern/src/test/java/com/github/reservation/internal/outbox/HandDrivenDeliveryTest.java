// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Registration;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.OutboxListener;
import com.github.reservation.outbox.OutboxQuery;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Delivery while time stands still: nothing happens by a poll or by the end of a pause. */
@Needs(Backend.H2)
class HandDrivenDeliveryTest extends OnH2Outbox {

    private static final Duration LEASE = Duration.ofMinutes(5);

    private final ManualTicker ticker = new ManualTicker();

    @Test
    void anOutcomeIsRecorded_evenIfAWaitForTheStoreHasUsedUpTheSignalOfTheWorker() throws Exception {
        AtomicReference<Thread> worker = new AtomicReference<>();
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {
            Thread busy = worker.get();
            if (method.equals("dueLanes") && busy != null) {
                goOn.countDown();
                // This thread parks, as it does while a pool has no connection, until the worker has sent its signals.
                await().until(() -> busy.getState() == Thread.State.TIMED_WAITING);
            }
        });
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            worker.set(Thread.currentThread());
            outbox.retry(delivery.id()); // Makes the pump look while the listener runs.
            goOn.await();
        });
        append("order-1", "1");

        outbox.start();

        awaitEmpty();
    }

    @Test
    void aDiscardLetsTheNextEventOfTheKeyArriveWithoutAPoll() throws Exception {
        AtomicReference<Thread> pump = new AtomicReference<>();
        outbox = build(ticker, 1, LEASE, (method, arguments) -> {
            if (method.equals("park")) {
                pump.set(Thread.currentThread());
            }
        });
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            if (event.order().equals("bad")) {
                throw new IllegalStateException("broken");
            }
            note(event, delivery);
        });
        append("order-1", "bad", "2");
        outbox.start();
        await().until(() -> pump.get() != null && pump.get().getState() == Thread.State.WAITING);

        outbox.discard(outbox.list(OutboxQuery.parked()).getFirst().id());

        awaitEmpty();
        assertThat(arrived).containsExactly("2");
    }

    @Test
    void closeAlsoWaitsForAListenerThatWasUnsubscribed_andWhatItDidIsRecorded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        Registration registration = outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            begun.countDown();
            goOn.await();
        });
        append("order-1", "1");
        outbox.start();
        begun.await();
        registration.close();

        try (Actor closer = new Actor("closer")) {
            Future<Integer> closing = closer.starts(() -> {
                outbox.close();
                return count("");
            });
            await().until(() -> closing.isDone() || closer.thread().getState() == Thread.State.TIMED_WAITING);
            assertThat(closing.isDone()).isFalse();
            goOn.countDown();
            assertThat(Actor.result(closing)).isZero();
        }
    }

    @Test
    void aListenerMayUnsubscribeItselfAndCloseTheOutbox() throws Exception {
        AtomicReference<Registration> registration = new AtomicReference<>();
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        registration.set(outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            registration.get().close();
            outbox.close();
            note(event, delivery);
        }));
        append("order-1", "1");

        outbox.start();

        awaitEmpty();
        assertThat(arrived).containsExactly("1");
    }

    @Test
    void aListenerThatAnotherInstanceForgetsIsRegisteredAgain_withAWarning() throws Exception {
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        outbox.subscribe(LISTENER, Paid.class, this::note);
        outbox.deliverNow();
        try (LoggedWarnings warnings = new LoggedWarnings();
                StoreOutbox other = build(ticker, 10, LEASE, (method, arguments) -> {})) {
            assertThat(other.forget(LISTENER)).isTrue();
            append("order-1", "1");

            ticker.advance(KnownListeners.AGAIN);

            assertThat(outbox.deliverNow()).isEqualTo(1);
            ticker.advance(KnownListeners.AGAIN);
            outbox.deliverNow();
            assertThat(warnings.texts()).singleElement().asString().contains("Listener mailer was forgotten");
        }
        assertThat(arrived).containsExactly("1");
    }

    @Test
    void aRegistrationThatIsClosedTwiceDoesNotEndTheNextOneOfTheSameListener() throws Exception {
        OutboxListener<Paid> listener = this::note;
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        Registration first = outbox.subscribe(LISTENER, Paid.class, listener);
        first.close();
        outbox.subscribe(LISTENER, Paid.class, listener);
        append("order-1", "1");

        first.close();

        assertThat(outbox.deliverNow()).isEqualTo(1);
    }

    @Test
    void aListenerThatComesBackIsRegisteredAnew_evenIfItsLastRegistrationEndedAfterItHadLeft() throws Exception {
        CountDownLatch registering = new CountDownLatch(1);
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {
            if (method.equals("register")) {
                registering.countDown();
                goOn.await();
            }
        });
        Registration registration = outbox.subscribe(LISTENER, Paid.class, this::note);
        try (Actor instance = new Actor("instance")) {
            Future<Integer> delivering = instance.starts(() -> outbox.deliverNow());
            registering.await();
            registration.close();
            goOn.countDown();
            Actor.result(delivering);
        }
        outbox.forget(LISTENER);
        outbox.subscribe(LISTENER, Paid.class, this::note);
        append("order-1", "1");

        assertThat(outbox.deliverNow()).isEqualTo(1);
    }

    @Test
    void anInstanceWhoseLeaseMayHaveEndedDoesNotCountOnBeingAlone() throws Exception {
        Queue<Object> alone = new ConcurrentLinkedQueue<>();
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {
            if (method.equals("complete")) {
                alone.add(arguments[2]);
            }
        });
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            if (event.order().equals("late")) {
                ticker.advance(LEASE);
            }
        });

        append("order-1", "in time");
        outbox.deliverNow();
        append("order-1", "late");
        outbox.deliverNow();

        assertThat(alone).containsExactly(true, false);
    }

    @Test
    void aListenerIsNotForgottenAtTheCostOfTheOthers() throws Exception {
        CountDownLatch forgetting = new CountDownLatch(1);
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {
            if (method.equals("removeForgotten")) {
                forgetting.countDown();
                goOn.await(); // As long as it takes with a million events.
            }
        });
        outbox.subscribe(LISTENER, Paid.class, this::note);
        append("order-1", "1");
        try (Actor operator = new Actor("operator"); Actor instance = new Actor("instance")) {
            Future<Boolean> forgotten = operator.starts(() -> outbox.forget("gone"));
            forgetting.await();

            outbox.subscribe("gone", Paid.class, this::note);
            assertThat(Actor.result(instance.starts(() -> outbox.deliverNow()))).isEqualTo(2);

            goOn.countDown();
            assertThat(Actor.result(forgotten)).isFalse();
        }
    }
}
