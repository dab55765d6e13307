// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.ReservationException;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.outbox.Step.Large;
import com.github.reservation.outbox.Step.Skipped;
import com.github.reservation.outbox.Step.Taken;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an outbox promises, on every database, step by step. */
@SideBySide
class OutboxContractTest extends OnOutbox {

    @Test
    void aCommittedEventArrivesOnce_andIsRemoved() {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        append("order-1", 1);

        assertThat(outbox.deliverNow()).isEqualTo(1);

        assertThat(arrived).containsExactly("order-1:1");
        assertThat(outbox.deliverNow()).isZero();
        assertThat(rows()).isZero();
    }

    @Test
    void anAppendThatIsRolledBackLeavesNothing() throws Exception {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, "order-1", new Taken(1));
            connection.rollback();
            connection.setAutoCommit(true);
        }

        assertThat(outbox.deliverNow()).isZero();
        assertThat(rows()).isZero();
    }

    @Test
    void aListenerLearnsAboutTheDelivery() {
        AtomicReference<Delivery> seen = new AtomicReference<>();
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> seen.set(delivery));
        append("order-1", 1);
        OutboxEntry entry = outbox.list(OutboxQuery.all()).getFirst();

        outbox.deliverNow();

        assertThat(seen.get()).isEqualTo(new Delivery(entry.id(), "order-1", 1, entry.createdAt()));
        assertThat(entry.payload()).isEqualTo("{\"number\": 1}");
        assertThat(entry.type()).isEqualTo(Taken.class.getName());
    }

    @Test
    void eventsOfAKeyArriveInTheOrderOfTheList() {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        List<OutboxMessage> messages = IntStream.range(0, 300)
                .mapToObj(i -> new OutboxMessage("key-" + i % 3, new Taken(i / 3)))
                .toList();
        transaction(connection -> outbox.appendAll(connection, messages));

        assertThat(outbox.deliverNow()).isEqualTo(300);

        int[] all = IntStream.range(0, 100).toArray();
        for (String key : List.of("key-0", "key-1", "key-2")) {
            assertThat(arrivedOf(key)).containsExactlyElementsOf(steps(key, all));
        }
    }

    @Test
    void keysOfAnyCharactersAndLengthStayApart() {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        List<String> keys = List.of("a", "A", "a ", "ä", "\uD83D\uDE00", "x".repeat(1_089), "中".repeat(1_089));
        keys.forEach(key -> append(key, 1));

        outbox.deliverNow();

        assertThat(arrived).containsExactlyInAnyOrderElementsOf(keys.stream().map(key -> key + ":1").toList());
    }

    @Test
    void aListenerThatFailsThreeTimesGetsTheEventAgain_beforeTheNextOfItsKey() {
        List<Integer> attempts = new ArrayList<>();
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            if (event.number() == 1) {
                attempts.add(delivery.attempt());
                if (attempts.size() <= 3) {
                    throw new IllegalStateException("not yet");
                }
            }
            note(event, delivery);
        });
        append("order-1", 1, 2);
        append("order-2", 7);

        await().until(() -> {
            outbox.deliverNow();
            return rows() == 0;
        });

        assertThat(attempts).containsExactly(1, 2, 3, 4);
        assertThat(arrivedOf("order-1")).containsExactly("order-1:1", "order-1:2");
        assertThat(arrived).first().isEqualTo("order-2:7");
        assertThat(records()).isZero();
    }

    @Test
    void aFailedEventWaitsForItsPause() {
        outbox = build(builder().pauses(Duration.ofHours(1), Duration.ofHours(1)));
        outbox.subscribe(LISTENER, Taken.class, event -> {
            throw new IllegalStateException("broken");
        });
        append("order-1", 1, 2);

        outbox.deliverNow();

        assertThat(outbox.deliverNow()).isZero();
        assertThat(outbox.list(OutboxQuery.all()).getFirst().failures())
                .containsExactly(new OutboxFailure(LISTENER, 1, false, "java.lang.IllegalStateException: broken"));
        assertThat(outbox.backlog()).satisfies(backlog -> {
            assertThat(backlog.pending()).isEqualTo(2);
            assertThat(backlog.parked()).isZero();
            assertThat(backlog.oldest()).isPresent();
        });
    }

    @Test
    void aNodeWithoutTheListenerLeavesTheRow() {
        Outbox other = build(builder());
        other.subscribe("statistics", Step.class, this::note);
        other.deliverNow(); // From now on the database knows it.
        outbox.subscribe(LISTENER, Taken.class, event -> {});
        append("order-1", 1, 2);

        assertThat(outbox.deliverNow()).isEqualTo(2);

        assertThat(outbox.deliverNow()).isZero();
        assertThat(rows()).isEqualTo(2);
        assertThat(other.deliverNow()).isEqualTo(2);
        assertThat(arrived).containsExactly("order-1:1", "order-1:2");
        assertThat(rows()).isZero();
        assertThat(records()).isZero();
    }

    @Test
    void anEventThatNobodyWantsIsNotWritten() {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        transaction(connection -> {
            outbox.append(connection, "order-1", new Skipped(1));
            outbox.appendAll(connection, List.of(
                    new OutboxMessage("order-1", new Skipped(2)), new OutboxMessage("order-1", new Taken(3))));
        });

        assertThat(rows()).isOne();
        outbox.subscribe("late", Skipped.class, this::note);
        assertThat(outbox.deliverNow()).isEqualTo(1);
        assertThat(arrived).containsExactly("order-1:3");
    }

    @Test
    void aNewListenerBeginsWithNewEvents_orWithThoseThatAreKeptForOthers() {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        append("order-1", 1, 2);
        Outbox other = build(builder());
        other.subscribe("new", Taken.class, (Taken event, Delivery delivery) -> arrived.add("new " + event.number()));
        other.subscribe("kept", Taken.class, OutboxStart.KEPT_EVENTS,
                (Taken event, Delivery delivery) -> arrived.add("kept " + event.number()));
        other.deliverNow();

        append("order-1", 3);
        other.deliverNow();

        assertThat(arrived).containsExactlyInAnyOrder("kept 1", "kept 2", "kept 3", "new 3");
        assertThat(arrived).filteredOn(one -> one.startsWith("kept")).isSorted();
    }

    @Test
    void eachListenerGetsEachEvent_andThePayloadIsStoredOnce() {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        outbox.subscribe("audit", Step.class, (Step event, Delivery delivery) -> arrived.add("audit"));
        append("order-1", 1);

        assertThat(rows()).isOne();
        assertThat(rows("_DELIVERIES")).isEqualTo(2);
        assertThat(outbox.list(OutboxQuery.all()).getFirst().listeners()).containsExactlyInAnyOrder(LISTENER, "audit");
        assertThat(outbox.deliverNow()).isEqualTo(2);
        assertThat(arrived).containsExactlyInAnyOrder("order-1:1", "audit");
        assertThat(rows() + records()).isZero();
    }

    @Test
    void aListenerOfASealedTypeGetsAllItsClasses_inOrder() {
        outbox.subscribe(LISTENER, Step.class, (Step step, Delivery delivery) -> arrived.add(step.toString()));
        transaction(connection -> {
            outbox.append(connection, "order-1", new Taken(1));
            outbox.append(connection, "order-1", new Skipped(2));
        });

        outbox.deliverNow();

        assertThat(arrived).containsExactly("Taken[number=1]", "Skipped[number=2]");
    }

    /** The first one fails: a listener of its own for each type would not wait. */
    @Test
    void aListenerOfSeveralTypesGetsTheEventsOfAKeyInOrder() {
        AtomicBoolean broken = new AtomicBoolean(true);
        outbox.subscribe(LISTENER, List.of(Skipped.class, Taken.class), OutboxStart.NEW_EVENTS,
                (Step step, Delivery delivery) -> {
                    if (broken.getAndSet(false)) {
                        throw new IllegalStateException("not yet");
                    }
                    arrived.add(step.toString());
                });
        transaction(connection -> {
            outbox.append(connection, "order-1", new Taken(1));
            outbox.append(connection, "order-1", new Skipped(2));
        });

        await().untilAsserted(() -> {
            outbox.deliverNow();
            assertThat(arrived).containsExactly("Taken[number=1]", "Skipped[number=2]");
        });
    }

    @Test
    void anEventThatCannotBeReadCountsAsFailed() {
        outbox = build(builder().retryFor(Duration.ZERO));
        outbox.subscribe(LISTENER, Taken.class, this::note);
        append("order-1", 1);
        database.execute("UPDATE RESERVATION_OUTBOX SET payload = 'no json'");

        assertThat(outbox.deliverNow()).isZero();

        assertThat(outbox.list(OutboxQuery.parked()).getFirst().failures().getFirst().error())
                .contains("cannot read it");
    }

    @Test
    void whatCannotBeAppendedIsRefusedBeforeItIsSent() throws Exception {
        outbox.subscribe(LISTENER, Taken.class, this::note);
        Outbox small = build(builder().largestEvent(1_024));
        try (Connection connection = pool.getConnection()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> outbox.append(connection, "order-1", new Taken(1)))
                    .withMessageContaining("connection must not be in autocommit mode");
        }
        transaction(connection -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> outbox.append(connection, "order-1", new Taken(-1)))
                    .withMessageContainingAll("The codec cannot write", "Taken", "cannot write it");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> small.append(connection, "order-1", new Large(2_000)))
                    .withMessage("An event must have at most 1024 bytes (largestEvent), but one of type "
                            + Large.class.getName() + " has 2000");
            outbox.append(connection, "order-1", new Taken(1));
        });

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aMissingTableIsToldWithTheCommandThatPrintsIt() {
        database.execute("DROP TABLE RESERVATION_OUTBOX_LANES");

        assertThatThrownBy(() -> outbox.backlog())
                .isInstanceOf(ReservationException.class)
                .hasMessageContaining("ddl " + kind.ddl() + "-outbox");
    }

    @Test
    void aClosedOutboxDeliversNothing() {
        outbox.close();

        assertThatIllegalStateException().isThrownBy(() -> outbox.deliverNow()).withMessageContaining("closed");
        assertThatIllegalStateException().isThrownBy(() -> outbox.start()).withMessageContaining("closed");
    }
}
