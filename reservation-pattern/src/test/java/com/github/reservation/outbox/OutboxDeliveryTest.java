// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.outbox.Step.Taken;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Delivery in the background, by one or two instances, on every database. */
@SideBySide
class OutboxDeliveryTest extends OnOutbox {

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private void blockOn(int number, Taken event, Delivery delivery) throws InterruptedException {
        if (event.number() == number) {
            blocked.countDown();
            goOn.await();
        }
        note(event, delivery);
    }

    @Test
    void aListenerThatBlocksDelaysItsKeyAlone() throws Exception {
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> blockOn(1, event, delivery));
        outbox.subscribe("fast", Taken.class,
                (Taken event, Delivery delivery) -> arrived.add("fast " + event.number()));
        append("order-1", 1, 2);
        outbox.start();
        blocked.await();

        for (int i = 0; i < 200; i++) {
            append("key-" + i, 3);
        }

        await().until(() -> arrived.stream().filter(one -> one.startsWith("key-")).count() == 200);
        await().until(() -> arrived.containsAll(List.of("fast 1", "fast 2")));
        assertThat(arrivedOf("order-1")).isEmpty();
        goOn.countDown();
        awaitEmpty();
        assertThat(arrivedOf("order-1")).containsExactly("order-1:1", "order-1:2");
        assertThat(records()).isZero();
    }

    @Test
    void aBlockedInstanceLeavesOtherKeysToOthers_butNotItsOwn() throws Exception {
        Outbox one = build(builder().workers(1));
        one.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> blockOn(1, event, delivery));
        outbox.subscribe(LISTENER, Taken.class,
                (Taken event, Delivery delivery) -> arrived.add("other " + delivery.key()));
        append("order-1", 1, 2);
        one.start();
        blocked.await();
        for (int i = 0; i < 200; i++) {
            append("key-" + i, 3);
        }

        outbox.start();

        await().until(() -> arrived.size() == 200);
        assertThat(arrived).noneMatch(name -> name.endsWith("order-1"));
        goOn.countDown();
        awaitEmpty();
        assertThat(arrivedOf("order-1")).contains("order-1:1");
    }

    @Test
    void aFailedEventComesAgainAfterItsPause_howeverFarAwayTheNextPollIs() {
        outbox = build(builder()
                .pollInterval(Duration.ofMinutes(10))
                .pauses(Duration.ofMillis(300), Duration.ofMillis(300)));
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            if (delivery.attempt() == 1) {
                throw new IllegalStateException("not yet");
            }
            note(event, delivery);
        });
        append("order-1", 1);

        outbox.start();

        awaitEmpty();
        assertThat(arrived).containsExactly("order-1:1");
    }

    @Test
    void closeWaitsForTheListenerThatRuns_andWhatItDidIsRecorded() throws Exception {
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> blockOn(1, event, delivery));
        append("order-1", 1, 2);
        outbox.start();
        blocked.await();

        try (Actor closer = new Actor("closer")) {
            Future<?> closing = closer.starts(outbox::close);
            await().untilAsserted(() -> assertThatIllegalStateException().isThrownBy(outbox::start));
            assertThat(closing.isDone()).isFalse();
            goOn.countDown();
            Actor.result(closing);
        }

        // The next delivery may begin before the thread of the outbox has heard of the close: it is waited for and recorded, too.
        assertThat(arrived).startsWith("order-1:1");
        assertThat(rows()).isEqualTo(2 - arrived.size());
    }

    @Test
    void aListenerMayCloseTheOutbox_butNotDeliverItself() {
        List<Throwable> thrown = new ArrayList<>();
        outbox.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
            assertThatIllegalStateException().isThrownBy(outbox::deliverNow).satisfies(thrown::add);
            outbox.close();
            note(event, delivery);
        });
        append("order-1", 1);

        outbox.start();

        awaitEmpty();
        assertThat(thrown).hasSize(1);
        assertThat(arrived).containsExactly("order-1:1");
    }

    @Test
    void twoInstancesDeliverInOrderPerKey_alsoWithRandomFailures() {
        int keys = 100;
        int events = 10_000;
        Map<String, Set<Integer>> seen = new ConcurrentHashMap<>();
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        List<String> overlaps = new CopyOnWriteArrayList<>();
        for (Outbox one : List.of(outbox, build(builder()))) {
            one.subscribe(LISTENER, Taken.class, (Taken event, Delivery delivery) -> {
                AtomicInteger inside = running.computeIfAbsent(delivery.key(), key -> new AtomicInteger());
                try {
                    if (inside.incrementAndGet() > 1) {
                        overlaps.add(delivery.key());
                    }
                    if (ThreadLocalRandom.current().nextInt(20) == 0) {
                        throw new IllegalStateException("at random");
                    }
                    seen.computeIfAbsent(delivery.key(), key -> new LinkedHashSet<>()).add(event.number());
                } finally {
                    inside.decrementAndGet();
                }
            });
            one.start();
        }

        for (int first = 0; first < events; first += 100) {
            List<OutboxMessage> messages = IntStream.range(first, first + 100)
                    .mapToObj(i -> new OutboxMessage("key-" + i % keys, new Taken(i)))
                    .toList();
            transaction(connection -> outbox.appendAll(connection, messages));
        }

        awaitEmpty();
        assertThat(overlaps).isEmpty();
        assertThat(seen).hasSize(keys);
        seen.forEach((key, numbers) -> assertThat(List.copyOf(numbers))
                .as(key)
                .hasSize(events / keys)
                .isSorted());
        assertThat(records()).isZero();
    }

    /** The identity of a row is drawn at the append, so a lock that is taken before makes it the order of the commits. */
    @Test
    void transactionsThatLockTheirRowFirstAppendInTheOrderOfTheirCommits() throws Exception {
        database.execute("DROP TABLE IF EXISTS counters");
        database.execute("CREATE TABLE counters (id INT NOT NULL PRIMARY KEY, n INT NOT NULL)");
        database.execute("INSERT INTO counters VALUES (1, 0)");
        outbox.subscribe(LISTENER, Taken.class, this::note);
        outbox.start();

        List<Actor> actors = IntStream.range(0, 4).mapToObj(i -> new Actor("writer-" + i)).toList();
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (Actor actor : actors) {
                writers.add(actor.starts(() -> {
                    for (int i = 0; i < 25; i++) {
                        transaction(connection -> {
                            try (Statement statement = connection.createStatement()) {
                                statement.executeUpdate("UPDATE counters SET n = n + 1 WHERE id = 1");
                                try (ResultSet row = statement.executeQuery("SELECT n FROM counters WHERE id = 1")) {
                                    row.next();
                                    outbox.append(connection, "counter", new Taken(row.getInt(1)));
                                }
                            }
                        });
                    }
                }));
            }
            writers.forEach(Actor::result);
        } finally {
            actors.forEach(Actor::close);
        }

        awaitEmpty();
        assertThat(arrived).containsExactlyElementsOf(steps("counter", IntStream.rangeClosed(1, 100).toArray()));
    }
}
