// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.outbox.OutboxMeters.Count;
import com.github.reservation.internal.outbox.OutboxStore.KeyState;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Asks the store for one listener on one instance, and records what became of its events. */
final class Outcomes {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final String UNDER_WAY = "Under way";

    /** A call that returns nothing. */
    @FunctionalInterface
    interface Order {
        void run() throws StoreException;
    }

    private final Courier courier;
    private final OutboxPlan plan;
    private final Retries retries;
    private final Subscriber<?> subscriber;
    private final AtomicInteger delivered = new AtomicInteger();

    /** Workers take turns with one connection, so that a backlog leaves the others of a pool to the application. */
    private final ReentrantLock turn = new ReentrantLock();

    Outcomes(Courier courier, Retries retries) {
        this.courier = courier;
        this.plan = courier.plan();
        this.retries = retries;
        this.subscriber = courier.subscriber();
    }

    /** Returns how many deliveries are recorded. */
    int delivered() {
        return delivered.get();
    }

    /**
     * Makes a call. A worker makes it until the store answers, unless somebody has to repair the store first. The courier does not wait for
     * a worker, nor until the store answers: it has leases to extend.
     */
    <T> T ask(Retries.Call<T> call) throws StoreException {
        return ask(call, false);
    }

    /** Records something. A worker tries until it is recorded: what is forgotten is delivered again. */
    void insist(Order order) throws StoreException {
        ask(
                () -> {
                    order.run();
                    return true;
                },
                true);
    }

    private <T> T ask(Retries.Call<T> call, boolean insists) throws StoreException {
        if (courier.isThread(Thread.currentThread())) {
            return retries.repeated(call);
        }
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            turn.lock();
            try {
                return retries.repeated(call);
            } catch (StoreException e) {
                if (courier.givesUp() || (!insists && e.kind() == Kind.MISCONFIGURED)) {
                    throw e;
                }
            } finally {
                turn.unlock();
            }
            plan.ticker().parkUntil(this, plan.ticker().nanos() + pauses.next());
            courier.afterDelivery(null); // No interrupt shortens the next pause.
        }
    }

    /** Records that the listener has events. */
    void complete(List<StoredEvent> events) throws StoreException {
        if (!events.isEmpty()) {
            insist(() -> plan.store().complete(subscriber.id(), events));
            delivered.addAndGet(events.size());
            plan.meters().count(Count.DELIVERED, subscriber.id(), events.size());
        }
    }

    /** Returns the state of a key that the listener gets now. */
    KeyState underWay(StoredEvent head, int attempts) {
        return new KeyState(head.id(), attempts, true, Optional.of(plan.leaseTime()), UNDER_WAY);
    }

    /** Returns the state of a key after a failure with its first event: it waits, or is parked. */
    KeyState failed(Page.Failed one) {
        boolean again = one.attempts() < plan.retry().mostAttempts();
        return new KeyState(
                one.head().id(),
                one.attempts(),
                false,
                again ? Optional.of(plan.retry().pauseAfter(one.attempts())) : Optional.empty(),
                one.cause() == null ? "The last attempt did not come back" : ErrorText.of(one.cause()));
    }

    /** Gives a key of a shared lane its own lane; returns false if the shared lane is lost. */
    boolean open(int shared, List<StoredEvent> events, KeyState state) throws StoreException {
        return ask(() -> plan.store().open(subscriber.id(), shared, courier.owner(), events, state), true);
    }

    /** Changes the state of a key that has its own lane; returns false if its lease is lost. */
    boolean record(StoredEvent head, KeyState state) throws StoreException {
        return ask(() -> plan.store().record(subscriber.id(), head.keyId(), courier.owner(), state), true);
    }

    /** Says what failed, once it is recorded. */
    void report(Page.Failed one, KeyState state) {
        plan.meters().count(Count.FAILED, subscriber.id(), 1);
        state.dueIn().ifPresentOrElse(courier.looks()::expectAfter,
                () -> plan.meters().count(Count.PARKED, subscriber.id(), 1));
        String next = state.dueIn().map(pause -> "it is called again in " + pause)
                .orElse("the event is parked, and later events of its key wait for retry or discard");
        subscriber.warnings(state.dueIn().isEmpty()).log(
                "Listener " + subscriber.id() + " failed with " + one.head() + ", attempt " + state.attempts() + ": "
                        + next,
                one.cause(), plan.ticker().nanos());
    }
}
