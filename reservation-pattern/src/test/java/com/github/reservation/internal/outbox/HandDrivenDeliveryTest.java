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
import com.github.reservation.outbox.OutboxStart;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
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
            if (method.equals("nextLane") && busy != null) {
                goOn.countDown();
                // This thread parks, as it does while a pool has no connection, until the worker has sent its signals.
                await().until(() -> busy.getState() == Thread.State.TIMED_WAITING);
            }
        });
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            worker.set(Thread.currentThread());
            outbox.retry(delivery.id()); // Makes the courier look while the listener runs.
            goOn.await();
        });
        append("order-1", "1");

        outbox.start();

        awaitEmpty();
    }

    @Test
    void aDiscardLetsTheNextEventOfTheKeyArriveWithoutAPoll() throws Exception {
        outbox = build(ticker, 1, LEASE, (method, arguments) -> {});
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            if (event.order().equals("bad")) {
                throw new IllegalStateException("broken");
            }
            note(event, delivery);
        });
        append("order-1", "bad", "2");
        outbox.start();
        await().until(() -> !outbox.list(OutboxQuery.parked()).isEmpty());

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

            ticker.advance(Courier.REGISTERED_EVERY);

            assertThat(outbox.deliverNow()).isEqualTo(1);
            ticker.advance(Courier.REGISTERED_EVERY);
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

    /** An event without a delivery, as a process leaves it that ends between two statements. */
    @Test
    void whoOnlyDeliversByHandPurges_too() throws Exception {
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        outbox.subscribe(LISTENER, Paid.class, this::note);
        outbox.deliverNow();
        append("order-1", "1");
        execute("DELETE FROM RESERVATION_OUTBOX_DELIVERIES");

        ticker.advance(Duration.ofHours(1));

        await().until(() -> count("") == 0);
    }

    /** The second event ends the process: each time, it has begun when the lease ends. */
    @Test
    void aSlowEventOfAKeyWithALaneOfItsOwnCountsAsTried_alsoIfItIsNotTheOneThatOpenedTheLane() throws Exception {
        Semaphore mayReturn = new Semaphore(0);
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            note(event, delivery);
            mayReturn.acquire();
        });
        append("order-1", "1", "2");
        outbox.start();
        await().until(() -> arrived.size() == 1);
        ticker.advance(Duration.ofSeconds(1));
        await().until(() -> count("_KEYS") == 1);
        mayReturn.release();
        await().until(() -> arrived.size() == 2);

        ticker.advance(Duration.ofSeconds(1));

        await().until(() -> outbox.list(OutboxQuery.all()).stream()
                .anyMatch(entry -> entry.payload().equals("2") && entry.failures().size() == 1));
        mayReturn.release(2);
    }

    @Test
    void keysWithLanesOfTheirOwnDoNotWaitForAllSharedLanes() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        outbox = build(ticker, 1, LEASE, (method, arguments) -> {});
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            if (down.get()) {
                throw new IllegalStateException("down");
            }
            note(event, delivery);
        });
        for (int i = 0; i < 100; i++) {
            append("failed-" + i, "failed");
        }
        outbox.deliverNow();
        down.set(false);
        for (int i = 0; i < 200; i++) {
            append("new-" + i, "new");
        }
        assertThat(outbox.retryAll(OutboxQuery.parked())).isEqualTo(100);

        outbox.deliverNow();

        assertThat(arrived.lastIndexOf("failed")).isLessThan(arrived.lastIndexOf("new"));
        assertThat(arrived.indexOf("new")).isLessThan(arrived.lastIndexOf("failed"));
        assertThat(arrived).hasSize(300);
    }

    @Test
    void aListenerThatIsForgottenWhileItRunsDoesNotGetTwiceWhatIsKeptForOthers() throws Exception {
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        Registration other = outbox.subscribe("other", Paid.class, this::note);
        outbox.deliverNow();
        other.close();
        outbox.subscribe(LISTENER, Paid.class, OutboxStart.KEPT_EVENTS, this::note);
        append("order-1", "1");
        outbox.deliverNow();

        outbox.forget(LISTENER);
        ticker.advance(Courier.REGISTERED_EVERY);

        assertThat(outbox.deliverNow()).isZero();
        assertThat(arrived).containsExactly("1");
    }

    @Test
    void aSecondCloseDoesNotWait() throws Exception {
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        CountDownLatch begun = new CountDownLatch(1);
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            begun.countDown();
            goOn.await();
        });
        append("order-1", "1");
        outbox.start();
        begun.await();
        try (Actor closer = new Actor("closer")) {
            Future<?> closing = closer.starts(outbox::close);
            await().until(() -> closer.thread().getState() == Thread.State.TIMED_WAITING);

            outbox.close();

            assertThat(closing.isDone()).isFalse();
            goOn.countDown();
            Actor.result(closing);
        }
    }

    @Test
    void anEventThatNobodyWantsIsAWarning_once() throws Exception {
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            append("order-1", "1", "2");
            append("order-2", "3");

            assertThat(warnings.texts()).singleElement().asString()
                    .contains(Paid.class.getName(), "no listener is registered for its type");
        }
        assertThat(count("")).isZero();
    }

    @Test
    void aTypeThatThisInstanceDoesNotKnowIsAWarning_once() throws Exception {
        outbox = build(ticker, 10, LEASE, (method, arguments) -> {});
        outbox.subscribe(LISTENER, Paid.class, this::note);
        append("order-1", "1");
        append("order-2", "2");
        execute("UPDATE RESERVATION_OUTBOX SET event_type = 'Sold'");
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            outbox.deliverNow();

            assertThat(warnings.texts()).filteredOn(text -> text.contains("does not want type")).singleElement()
                    .asString()
                    .contains("Listener mailer", "Sold", "forget(\"mailer\", \"Sold\")");
        }
        assertThat(arrived).isEmpty();
    }
}
