// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.outbox.Step.Taken;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A key with a large backlog, and others. */
@SideBySide
class HotKeyTest extends OnOutbox {

    private static final String HOT = "hot";
    private static final String NEIGHBOUR = cold(true, 0);
    private static final String ALSO_HOT = cold(true, 1);
    private static final String STRANGER = cold(false, 0);

    private static String cold(boolean sameLane, int number) {
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "cold-" + i)
                .filter(key -> (laneOf(key) == laneOf(HOT)) == sameLane)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    private static int laneOf(String key) {
        return KeyIds.laneOf(KeyIds.of(key));
    }

    private void deliver(OutboxBuilder builder, int backlog, Duration each) {
        deliver(builder, backlog, each, List.of(HOT));
    }

    /** Appends a backlog of hot keys, in turn, and while it is delivered, an event of each cold key. */
    private void deliver(OutboxBuilder builder, int backlog, Duration each, List<String> hot) {
        outbox = build(builder);
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            note(event, delivery);
            LockSupport.parkNanos(each.toNanos());
        });
        List<OutboxMessage> messages = IntStream.range(0, backlog)
                .mapToObj(i -> new OutboxMessage(hot.get(i % hot.size()), new Taken(i / hot.size())))
                .toList();
        transaction(connection -> outbox.appendAll(connection, messages));
        outbox.start();
        await().until(() -> !arrived.isEmpty());
        append(NEIGHBOUR, 1);
        append(STRANGER, 1);
        awaitEmpty();

        for (String key : hot) {
            assertThat(arrivedOf(key))
                    .containsExactlyElementsOf(steps(key, IntStream.range(0, backlog / hot.size()).toArray()));
        }
        assertThat(arrived.indexOf(NEIGHBOUR + ":1")).isBetween(0, backlog / 2);
        assertThat(arrived.indexOf(STRANGER + ":1")).isBetween(0, backlog / 2);
    }

    @Test
    void othersAreNotDelayed_neitherInItsLaneNorInAnother() {
        deliver(builder(), 1_000, Duration.ofMillis(5));
    }

    /** No key has two events in a row. */
    @Test
    void norIfTheEventsOfTwoHotKeysAlternate() {
        deliver(builder(), 2_000, Duration.ofMillis(5), List.of(HOT, ALSO_HOT));
    }

    /** A page takes less time than after which a key counts as hot. */
    @Test
    void norIfEachDeliveryIsFast() {
        deliver(builder().pageBytes(1_024), 10_000, Duration.ofNanos(400_000));
    }

    /** A page has few events, and all are of the hot key. */
    @Test
    void norIfEachPageIsShort() {
        deliver(builder().pageBytes(1_024), 1_000, Duration.ofMillis(5));
    }
}
