// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.outbox.Step.Taken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a listener sends its events to is down for a while. Its pauses are short here, but as many as in an outage of hours. */
class ListenerOutageTest extends OnOutbox {

    private static final int KEYS = 20;
    private static final int EVENTS = 10;
    private static final int FAILURES = 30;

    private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
    private volatile boolean down = true;

    private void send(Taken event, Delivery delivery) {
        attempts.put(delivery.key(), delivery.attempt());
        if (down) {
            throw new IllegalStateException("the receiver is down");
        }
        note(event, delivery);
    }

    @Test
    void nothingIsParked_andAllArrivesAfterwards_withOneWarning() {
        outbox = build(builder().pauses(Duration.ofMillis(1), Duration.ofMillis(6)).retryFor(Duration.ofHours(1)));
        outbox.subscribe(LISTENER, Taken.class, this::send);
        List<OutboxMessage> messages = IntStream.range(0, KEYS * EVENTS)
                .mapToObj(i -> new OutboxMessage("key-" + i % KEYS, new Taken(i / KEYS)))
                .toList();
        transaction(connection -> outbox.appendAll(connection, messages));

        try (LoggedWarnings warnings = new LoggedWarnings()) {
            outbox.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> attempts.size() == KEYS
                    && attempts.values().stream().allMatch(times -> times >= FAILURES));
            assertThat(arrived).isEmpty();
            assertThat(outbox.list(OutboxQuery.parked())).isEmpty();
            assertThat(outbox.backlog().pending()).isEqualTo(KEYS * EVENTS);
            down = false;
            awaitEmpty();

            assertThat(warnings.texts()).singleElement().asString().contains("Listener mailer failed with event ",
                    "level DEBUG");
            assertThat(warnings.causes()).singleElement().satisfies(cause -> {
                assertThat(cause).hasMessage("the receiver is down");
                assertThat(cause.getStackTrace()[0].getMethodName()).isEqualTo("send");
            });
        }
        assertThat(arrived).hasSize(KEYS * EVENTS);
        for (int i = 0; i < KEYS; i++) {
            String key = "key-" + i;
            assertThat(arrivedOf(key)).containsExactlyElementsOf(steps(key, IntStream.range(0, EVENTS).toArray()));
        }
    }
}
