// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Registration;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.outbox.Step.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What an outbox shows its operators and does for them, on every database. */
@SideBySide
class OutboxOperatorContractTest extends OnOutbox {

    @Test
    void aParkedEventBlocksItsOwnKeyOnly_andArrivesAfterARetry() {
        AtomicBoolean broken = new AtomicBoolean(true);
        outbox = build(builder().retryFor(Duration.ZERO));
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            if (broken.get() && event.number() == 1) {
                throw new IllegalStateException("broken");
            }
            note(event, delivery);
        });
        append("order-1", 1, 2);
        append("order-2", 3);

        assertThat(outbox.deliverNow()).isEqualTo(1);

        assertThat(arrived).containsExactly("order-2:3");
        OutboxEntry parked = outbox.list(OutboxQuery.parked()).getFirst();
        assertThat(parked.isParked()).isTrue();
        assertThat(parked.key()).isEqualTo("order-1");
        assertThat(outbox.backlog()).satisfies(backlog -> {
            assertThat(backlog.pending()).isEqualTo(1);
            assertThat(backlog.parked()).isEqualTo(1);
        });
        broken.set(false);
        assertThat(outbox.deliverNow()).isZero();
        assertThat(outbox.retry(parked.id())).isTrue();
        assertThat(outbox.deliverNow()).isEqualTo(2);
        assertThat(arrivedOf("order-1")).containsExactly("order-1:1", "order-1:2");
        assertThat(outbox.retry(parked.id())).isFalse();
        assertThat(outbox.backlog()).isEqualTo(new OutboxBacklog(0, 0, Optional.empty()));
    }

    @Test
    void aDiscardedEventFreesTheNextOfItsKey() {
        outbox = build(builder().retryFor(Duration.ZERO));
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            if (event.number() == 1) {
                throw new IllegalStateException("broken");
            }
            note(event, delivery);
        });
        append("order-1", 1, 2);
        outbox.deliverNow();
        long parked = outbox.list(OutboxQuery.parked()).getFirst().id();

        assertThat(outbox.discard(parked)).isTrue();

        assertThat(outbox.discard(parked)).isFalse();
        assertThat(outbox.deliverNow()).isEqualTo(1);
        assertThat(arrived).containsExactly("order-1:2");
        assertThat(records()).isZero();
    }

    @Test
    void whatIsLeftIsListedPageByPage() {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        append("order-1", 1, 2, 3);

        List<OutboxEntry> first = outbox.list(OutboxQuery.all().atMost(2));
        List<OutboxEntry> second = outbox.list(OutboxQuery.all().atMost(2).after(first.getLast().id()));

        assertThat(first).hasSize(2);
        assertThat(second).hasSize(1);
        assertThat(second.getFirst().id()).isGreaterThan(first.getLast().id());
        assertThat(outbox.list(OutboxQuery.parked())).isEmpty();
    }

    @Test
    void theListenersShowWhatWaitsForThem() {
        outbox = build(builder().retryFor(Duration.ZERO));
        outbox.subscribe(LISTENER, Taken.class, event -> {
            throw new IllegalStateException("broken");
        });
        append("order-1", 1, 2);
        append("order-2", 3);
        outbox.deliverNow();

        assertThat(outbox.listeners()).singleElement().satisfies(listener -> {
            assertThat(listener.id()).isEqualTo(LISTENER);
            assertThat(listener.types()).containsOnlyKeys(Taken.class.getName());
            assertThat(listener.lastSeen()).hasValueSatisfying(
                    seen -> assertThat(seen).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60)));
            assertThat(listener.pending()).isEqualTo(1);
            assertThat(listener.parked()).isEqualTo(2);
            assertThat(listener.oldest()).isPresent();
        });
    }

    @Test
    void manyAreRetriedOrDiscardedAtOnce() {
        AtomicBoolean broken = new AtomicBoolean(true);
        outbox = build(builder().retryFor(Duration.ZERO));
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            if (broken.get()) {
                throw new IllegalStateException("broken");
            }
            note(event, delivery);
        });
        for (int i = 0; i < 6; i++) {
            append("order-" + i, i);
        }
        assertThat(outbox.deliverNow()).isZero();

        assertThat(outbox.retryAll(OutboxQuery.parked().ofListener("nobody"))).isZero();
        assertThat(outbox.discardAll(OutboxQuery.parked().ofKey("order-0"))).isEqualTo(1);
        assertThat(outbox.discardAll(OutboxQuery.all().ofType("other"))).isZero();
        assertThat(outbox.retryAll(OutboxQuery.parked().ofType(Taken.class.getName()))).isEqualTo(5);
        broken.set(false);
        assertThat(outbox.deliverNow()).isEqualTo(5);
        assertThat(arrivedOf("order-0")).isEmpty();
        assertThat(rows() + records()).isZero();
    }

    @Test
    void aForgottenListenerKeepsNothing() {
        Registration gone = outbox.subscribe("gone", Taken.class, event -> {
            throw new IllegalStateException("broken");
        });
        outbox.subscribe(LISTENER, Taken.class, this::note);
        append("order-1", 1);
        outbox.deliverNow();
        gone.close();

        assertThat(outbox.forget("gone")).isTrue();

        assertThat(outbox.forget("gone")).isFalse();
        assertThat(arrived).containsExactly("order-1:1");
        assertThat(rows()).isZero();
        assertThat(records()).isZero();
    }
}
