// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.outbox.OutboxStore.KeyState;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Asks the store for one listener on one instance, and says what becomes of its events. */
final class Outcomes {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final String UNDER_WAY = "Under way";

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
     * Makes a call. A worker makes it until the store answers: what is forgotten is delivered again. The courier does not wait for a
     * worker, nor until the store answers: it has leases to extend.
     */
    <T> T ask(Retries.Call<T> call) throws StoreException {
        if (courier.isThread(Thread.currentThread())) {
            return retries.repeated(call);
        }
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            turn.lock();
            try {
                return retries.repeated(call);
            } catch (StoreException e) {
                if (courier.givesUp()) {
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
            ask(() -> plan.store().complete(subscriber.id(), events));
            delivered.addAndGet(events.size());
            plan.meters().delivered(subscriber.id(), events.size());
        }
    }

    /** Returns the state of a key that the listener gets now. */
    KeyState underWay(StoredEvent head, int attempts) {
        return new KeyState(head.id(), attempts, true, Optional.of(plan.leaseTime()), UNDER_WAY);
    }

    /** Returns the state of a key after a failure with its first event: it waits, or is parked. */
    KeyState failed(StoredEvent head, int attempts, @Nullable Throwable cause) {
        boolean again = attempts < plan.retry().mostAttempts();
        return new KeyState(
                head.id(),
                attempts,
                false,
                again ? Optional.of(plan.retry().pauseAfter(attempts)) : Optional.empty(),
                cause == null ? "The last attempt did not come back" : ErrorText.of(cause));
    }

    /** Says what failed. If that is not recorded, the lease was lost, or a reply of the store. */
    void report(StoredEvent head, KeyState state, @Nullable Throwable cause, boolean recorded) {
        boolean isParked = recorded && state.dueIn().isEmpty();
        plan.meters().failed(subscriber.id(), isParked);
        state.dueIn().ifPresent(courier.looks()::expectAfter);
        String next = !recorded
                ? "its lease may be lost, so another instance may call it as well"
                : state.dueIn().map(pause -> "it is called again in " + pause)
                        .orElse("the event is parked, and later events of its key wait for retry or discard");
        subscriber.warnings(isParked).log(
                "Listener " + subscriber.id() + " failed with " + head + ", attempt " + state.attempts() + ": " + next,
                cause, plan.ticker().nanos());
    }
}
