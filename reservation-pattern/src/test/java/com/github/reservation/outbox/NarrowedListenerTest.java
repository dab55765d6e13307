// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.outbox.Step.Skipped;
import com.github.reservation.outbox.Step.Taken;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All instances get a new release, in which a listener wants one type fewer. */
class NarrowedListenerTest extends OnOutbox {

    private static final String AUDIT = "audit";
    private static final String DROPPED = Skipped.class.getName();

    private final List<String> audited = new CopyOnWriteArrayList<>();

    /** What arrived at an attempt that was not the first one. */
    private final List<String> late = new CopyOnWriteArrayList<>();

    private Outbox release(Class<? extends Step> wanted) {
        Outbox instance = build(builder());
        instance.subscribe(LISTENER, wanted, (Step step, Delivery delivery) -> {
            note(step, delivery);
            if (delivery.attempt() > 1) {
                late.add(delivery.key());
            }
        });
        instance.subscribe(AUDIT, Step.class,
                (Step step, Delivery delivery) -> audited.add(delivery.key() + ':' + step.number()));
        return instance;
    }

    @BeforeEach
    void replaceTheFirstRelease() {
        try (Outbox first = release(Step.class)) {
            first.deliverNow();
        }
        outbox = release(Taken.class).start();
        release(Taken.class).start();
    }

    private void appendBoth(String key) {
        transaction(connection -> {
            outbox.append(connection, key, new Skipped(1));
            outbox.append(connection, key, new Taken(2));
        });
    }

    private List<OutboxFailure> failuresOf(String key) {
        return outbox.list(OutboxQuery.all().ofKey(key).ofListener(LISTENER)).getFirst().failures();
    }

    @Test
    void aWarningSaysWhatToForget_andToForgetItLetsTheLaterEventsArrive() {
        List<String> keys = List.of("order-1", "order-2", "order-3");
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            keys.forEach(this::appendBoth);
            await().until(() -> keys.stream()
                    .allMatch(key -> failuresOf(key).stream().anyMatch(failure -> failure.attempts() > 3)));
            assertThat(warnings.texts()).filteredOn(text -> text.contains("does not want type"))
                    .hasSizeBetween(1, 2) // one in each instance
                    .allSatisfy(text -> assertThat(text)
                            .contains("Listener mailer", "forget(\"mailer\", \"" + DROPPED + "\")"));
        }
        assertThat(arrived).isEmpty();

        assertThat(outbox.forget(LISTENER, DROPPED)).isTrue();

        awaitEmpty();
        assertThat(arrived).containsExactlyInAnyOrder("order-1:2", "order-2:2", "order-3:2");
        assertThat(audited).containsExactlyInAnyOrder(
                "order-1:1", "order-1:2", "order-2:1", "order-2:2", "order-3:1", "order-3:2");
    }

    @Test
    void keysWithoutSuchEventsAreNotDelayed() {
        appendBoth("order-1");
        await().until(() -> failuresOf("order-1").stream().anyMatch(failure -> failure.attempts() > 1));

        for (int i = 0; i < 100; i++) {
            append("key-" + i, 3);
        }

        await().until(() -> rows("_DELIVERIES") == 2);
        assertThat(arrived).hasSize(100);
        assertThat(arrivedOf("order-1")).isEmpty();
        assertThat(late).isEmpty();
        assertThat(audited).hasSize(102);
        assertThat(outbox.listeners()).filteredOn(listener -> listener.pending() > 0).singleElement()
                .satisfies(listener -> assertThat(listener.id()).isEqualTo(LISTENER))
                .satisfies(listener -> assertThat(listener.pending()).isEqualTo(2));
    }

    @Test
    void whatIsAppendedAfterwardsIsNotWrittenForIt() {
        outbox.forget(LISTENER, DROPPED);

        appendBoth("order-1");

        awaitEmpty();
        assertThat(arrived).containsExactly("order-1:2");
        assertThat(audited).containsExactly("order-1:1", "order-1:2");
        assertThat(outbox.listeners()).filteredOn(listener -> listener.id().equals(LISTENER)).singleElement()
                .satisfies(listener -> assertThat(listener.types()).containsOnlyKeys(Taken.class.getName()));
    }
}
