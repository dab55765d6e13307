// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Ticker;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.OutboxListener;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A store that fails at one call. What waits for the end of a lease waits too long for these tests. */
@SideBySide
@Needs(Backend.H2)
class StoreFailureTest extends OnH2Outbox {

    private void start(Duration lease, Fault fault, OutboxListener<Paid> listener) {
        outbox = build(Ticker.system(), 10, lease, fault);
        outbox.subscribe(LISTENER, Paid.class, listener);
        outbox.start();
    }

    private void start(Fault fault) {
        start(Duration.ofMinutes(5), fault, this::note);
    }

    private static Fault once(String name, Throwable failure) {
        AtomicInteger calls = new AtomicInteger();
        return (method, arguments) -> {
            if (method.equals(name) && calls.getAndIncrement() == 0) {
                throw failure;
            }
        };
    }

    private static StoreException down() {
        return new StoreException(Kind.UNAVAILABLE, "Scripted", null);
    }

    @Test
    void aLaneIsNotLostIfItCannotBeRead() throws Exception {
        start(once("read", down()));
        append("order-1", "1");

        awaitEmpty();

        assertThat(arrived).containsExactly("1");
    }

    @Test
    void aLaneIsNotLostIfItCannotBeGivenBack() throws Exception {
        start(once("release", down()));
        append("order-1", "1");
        awaitEmpty();
        append("order-1", "2");

        awaitEmpty();

        assertThat(arrived).containsExactly("1", "2");
    }

    @Test
    void anErrorDoesNotEndTheDelivery() throws Exception {
        start(once("nextLane", new OutOfMemoryError("Scripted")));
        append("order-1", "1");

        awaitEmpty();

        assertThat(arrived).containsExactly("1");
    }

    @Test
    void aLaneThatCannotBeOpenedLeavesNothingBehind() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        start(Duration.ofMinutes(5), (method, arguments) -> {
            if (method.equals("open") && opened.incrementAndGet() == 2) {
                goOn.countDown();
                throw down();
            }
        }, (event, delivery) -> {
            goOn.await();
            note(event, delivery);
        });
        String neighbour = neighbourOf("order-1");
        append("order-1", "1");
        append(neighbour, "2");
        await().until(() -> opened.get() >= 2);
        append("order-1", "3");

        awaitEmpty();

        assertThat(arrived).containsExactlyInAnyOrder("1", "2", "3").containsSubsequence("1", "3");
        assertThat(count("_DELIVERIES")).isZero();
    }

    @Test
    void aDeliveryCountsOnce_evenIfWhatElseHappenedToItsPageIsRecordedLater() throws Exception {
        List<StoredEvent> completed = new CopyOnWriteArrayList<>();
        AtomicInteger opened = new AtomicInteger();
        outbox = build(Ticker.system(), 10, Duration.ofMinutes(5), (method, arguments) -> {
            if (method.equals("complete")) {
                ((List<?>) arguments[1]).forEach(event -> completed.add((StoredEvent) event));
            } else if (method.equals("open") && opened.getAndIncrement() == 0) {
                throw down();
            }
        });
        outbox.subscribe(LISTENER, Paid.class, (Paid event, Delivery delivery) -> {
            if (event.order().equals("slow")) {
                goOn.await();
            }
        });
        append(neighbourOf("order-1"), "fast");
        append("order-1", "fast", "slow");

        outbox.start();
        await().until(() -> opened.get() >= 2);
        goOn.countDown();
        awaitEmpty();

        assertThat(completed).hasSize(3).doesNotHaveDuplicates();
    }

    /** Returns another key of the same lane. */
    private static String neighbourOf(String key) {
        int lane = KeyIds.laneOf(KeyIds.of(key));
        return IntStream.range(0, 10_000).mapToObj(i -> "neighbour-" + i)
                .filter(other -> KeyIds.laneOf(KeyIds.of(other)) == lane)
                .findFirst().orElseThrow();
    }

    @Test
    void aKeyWhoseOutcomeCannotBeRecordedDoesNotStopTheOthers() throws Exception {
        start(Duration.ofMinutes(5), (method, arguments) -> {
            if (method.equals("open") && ((StoredEvent) ((List<?>) arguments[3]).getFirst()).key().equals("bad")) {
                throw down();
            }
        }, (event, delivery) -> {
            if (delivery.key().equals("bad")) {
                throw new IllegalStateException("broken");
            }
            note(event, delivery);
        });
        append("bad", "0");
        for (int i = 1; i <= 20; i++) {
            append("order-" + i, "1");
        }

        // A key of the same lane waits with it.
        await().atMost(Duration.ofSeconds(20)).until(() -> count("") <= 3);
    }

    @Test
    void closeDoesNotWaitLongerThanALeaseForAListenerThatHangs() throws Exception {
        start(Duration.ofSeconds(1), (method, arguments) -> {}, (event, delivery) -> {
            note(event, delivery);
            goOn.await();
        });
        append("order-1", "1");
        await().until(() -> !arrived.isEmpty());

        try (Actor closer = new Actor("closer")) {
            Actor.result(closer.starts(outbox::close));
        }

        assertThat(goOn.getCount()).isEqualTo(1);
    }
}
