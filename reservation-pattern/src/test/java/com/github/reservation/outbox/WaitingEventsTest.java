// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Registration;
import com.github.reservation.outbox.Step.Skipped;
import com.github.reservation.outbox.Step.Taken;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator asks why an event waits. */
class WaitingEventsTest extends OnOutbox {

    private static final String GONE = "gone";
    private static final Duration WEEK = Duration.ofDays(7);

    /** The release before looks for absent listeners at any time, but finds none. */
    @BeforeEach
    void buildTheReleaseBefore() {
        outbox = build(builder().absentAfter(Duration.ofDays(3_650)));
    }

    /** Registers a listener that is in no later release. */
    private void register(String id, Class<? extends Step> type) {
        Registration registration = outbox.subscribe(id, type, (Step step) -> {});
        outbox.deliverNow();
        registration.close();
    }

    private List<OutboxEntry> entries(String key) {
        return outbox.list(OutboxQuery.all().ofKey(key));
    }

    private static Stream<String> about(LoggedWarnings warnings, String listener) {
        return warnings.texts().stream().filter(text -> text.startsWith("No instance has had listener " + listener));
    }

    /** Makes what is registered by now older than it may be. */
    private void passAWeek() {
        database.shift("RESERVATION_OUTBOX_LISTENERS", "seen_at", WEEK.plusHours(1).negated());
    }

    @Test
    void aListOfItsKeyShowsForWhomItWaits_andWhatFailedBeforeIt() {
        register(GONE, Taken.class);
        outbox.subscribe(LISTENER, Step.class, (Step step, Delivery delivery) -> {
            throw new IllegalStateException("no mail server");
        });
        append("order-1", 1, 2);
        transaction(connection -> outbox.append(connection, "order-1", new Skipped(3)));
        append("order-2", 4);

        outbox.start();
        await().until(
                () -> entries("order-1").getFirst().failures().stream().anyMatch(failure -> failure.attempts() > 1));

        assertThat(entries("order-1")).extracting(OutboxEntry::listeners)
                .containsExactly(List.of(GONE, LISTENER), List.of(GONE, LISTENER), List.of(LISTENER));
        assertThat(entries("order-1").getFirst().failures()).singleElement().satisfies(failure -> {
            assertThat(failure.listener()).isEqualTo(LISTENER);
            assertThat(failure.parked()).isFalse();
        });
        await().until(() -> entries("order-1").getFirst().failures().getFirst().error().contains("no mail server"));
        assertThat(entries("order-1")).filteredOn(entry -> !entry.failures().isEmpty()).hasSize(1);
    }

    @Test
    void aParkedEventIsShownAsParked_andBlocksThoseOfItsKey() {
        outbox = build(builder().retryFor(Duration.ZERO));
        outbox.subscribe(LISTENER, Taken.class, (Taken event) -> {
            throw new IllegalStateException("no mail server");
        });
        append("order-1", 1, 2);

        outbox.deliverNow();

        assertThat(entries("order-1")).extracting(OutboxEntry::isParked).containsExactly(true, false);
        assertThat(entries("order-1").getFirst().failures())
                .containsExactly(
                        new OutboxFailure(LISTENER, 1, true, "java.lang.IllegalStateException: no mail server"));
        assertThat(outbox.listeners()).singleElement().satisfies(listener -> {
            assertThat(listener.parked()).isOne();
            assertThat(listener.pending()).isOne();
        });
    }

    @Test
    void aListenerThatNobodyHasForAWeekIsAWarning_andItsEventsStay() {
        register(GONE, Taken.class);
        append("order-1", 1);
        passAWeek();
        Outbox next = build(builder().absentAfter(WEEK));
        next.subscribe(LISTENER, Taken.class, this::note);

        try (LoggedWarnings warnings = new LoggedWarnings()) {
            next.start();
            await().until(() -> about(warnings, GONE).count() == 1);
            next.deliverNow();

            assertThat(about(warnings, GONE)).singleElement().asString()
                    .contains(Taken.class.getName(), "forget(\"gone\", \"" + Taken.class.getName() + "\")");
            assertThat(about(warnings, LISTENER)).isEmpty();
        }
        assertThat(entries("order-1")).singleElement().satisfies(
                entry -> assertThat(entry.listeners()).containsExactly(GONE));
        assertThat(outbox.listeners()).extracting(RegisteredListener::id).containsExactly(GONE, LISTENER);
    }
}
