// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.ReservationException;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.outbox.Step.Skipped;
import com.github.reservation.outbox.Step.Taken;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Listeners, versions and settings that could lose events or stop the delivery. */
@SideBySide
class OutboxTroubleTest extends OnOutbox {

    /** An exception that cannot say what it is. */
    private static final class Unspeakable extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("at a loss for words");
        }
    }

    /** An exception with any text. */
    private static final class Saying extends RuntimeException {

        private static final long serialVersionUID = 1;

        Saying(String text) {
            super(text);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    @Test
    void anExceptionOfAnyTextIsRecorded_andOtherKeysGoOn() {
        List<RuntimeException> failures = List.of(
                new Saying(""), new Saying(null), new Saying("NUL \0."), new Saying("half \uD83D."),
                new Saying("\uD83D\uDE00".repeat(600)), new Unspeakable());
        outbox = build(builder().retryFor(Duration.ZERO));
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            if (event.number() < failures.size()) {
                throw failures.get(event.number());
            }
            note(event, delivery);
        });
        for (int i = 0; i <= failures.size(); i++) {
            append("key-" + i, i);
        }

        assertThat(outbox.deliverNow()).isEqualTo(1);

        assertThat(outbox.list(OutboxQuery.parked()).stream().map(entry -> entry.failures().getFirst().error()))
                .containsExactly(
                        Saying.class.getName(),
                        Saying.class.getName(),
                        "NUL  .",
                        "half ?.",
                        "\uD83D\uDE00".repeat(250),
                        Unspeakable.class.getName());
    }

    /** Should the instance die of the second key, the attempt with the first one counts. */
    @Test
    void aFailureIsRecordedBeforeTheNextKeyOfTheSamePageIsDelivered() {
        List<String> keys = Stream.iterate(0, i -> i + 1)
                .map(i -> "order-" + i)
                .filter(key -> laneOf(key) == laneOf("order-0"))
                .limit(2)
                .toList();
        List<OutboxEntry> failed = new ArrayList<>();
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            if (delivery.key().equals(keys.getFirst())) {
                throw new IllegalStateException("broken");
            }
            failed.addAll(outbox.list(OutboxQuery.all().ofKey(keys.getFirst())));
            outbox.discardAll(OutboxQuery.all().ofKey(keys.getFirst()));
        });
        append(keys.getFirst(), 1);
        append(keys.getLast(), 2);

        outbox.deliverNow();

        assertThat(failed).singleElement().satisfies(entry -> assertThat(entry.failures()).singleElement()
                .satisfies(failure -> assertThat(failure.attempts()).isOne()));
    }

    private static int laneOf(String key) {
        return KeyIds.laneOf(KeyIds.of(key));
    }

    @Test
    void anInstanceThatDoesNotKnowATypeLeavesItsKeyToOneThatDoes() {
        Outbox newer = build(builder());
        newer.subscribe(LISTENER, Step.class, this::note);
        newer.deliverNow();
        outbox.subscribe(LISTENER, Taken.class, this::note);
        append("order-1", 1);
        transaction(connection -> outbox.append(connection, "order-1", new Skipped(2)));
        append("order-1", 3);
        append("order-2", 4);

        assertThat(outbox.deliverNow()).isEqualTo(2);
        await().until(() -> {
            outbox.deliverNow();
            return outbox.list(OutboxQuery.all()).getFirst().failures().getFirst().attempts() > 2;
        });

        assertThat(arrived).containsExactlyInAnyOrder("order-1:1", "order-2:4");
        await().until(() -> {
            newer.deliverNow();
            return rows() == 0;
        });
        assertThat(arrivedOf("order-1")).containsExactly("order-1:1", "order-1:2", "order-1:3");
    }

    @Test
    void anotherListenerDoesNotRemoveWhatAnOlderInstanceDoesNotKnow() {
        Outbox newer = build(builder());
        newer.subscribe(LISTENER, Step.class, this::note);
        newer.deliverNow();
        outbox.subscribe(LISTENER, Taken.class, this::note);
        outbox.subscribe("other", Step.class, event -> {});
        transaction(connection -> outbox.append(connection, "order-1", new Skipped(1)));

        assertThat(outbox.deliverNow()).isEqualTo(1);

        await().until(() -> newer.deliverNow() == 1);
        assertThat(arrived).containsExactly("order-1:1");
    }

    @Test
    void theInterruptOfACallerThatDeliversIsKept_andStopsIt() {
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            note(event, delivery);
            throw new InterruptedException("as if somebody had interrupted the caller");
        });
        append("order-1", 1);
        append("order-2", 2);

        outbox.deliverNow();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(arrived).hasSize(1);
    }

    @Test
    void readUncommittedIsRefused() {
        HikariConfig config = new HikariConfig();
        pool.copyStateTo(config);
        config.setTransactionIsolation("TRANSACTION_READ_UNCOMMITTED");
        try (HikariDataSource dirty = new HikariDataSource(config);
                Outbox other = Outbox.jdbc(dirty).codec(Step.CODEC).build()) {
            other.subscribe(LISTENER, Taken.class, this::note);

            assertThatThrownBy(other::deliverNow)
                    .isInstanceOf(ReservationException.class)
                    .hasMessageContaining("READ UNCOMMITTED");
        }
    }
}
