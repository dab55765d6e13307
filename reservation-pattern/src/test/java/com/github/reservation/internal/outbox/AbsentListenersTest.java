// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Registration;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What no instance has any more, in hand-driven time. */
@Needs(Backend.H2)
class AbsentListenersTest extends OnH2Outbox {

    private static final Duration LEASE = Duration.ofMinutes(5);

    private final ManualTicker ticker = new ManualTicker();

    /** All instances were stopped for weeks. What is started again within an hour is not forgotten. */
    @Test
    void ifToldSo_whatIsAbsentIsForgotten_butNotInTheFirstHour() throws Exception {
        outbox = build(ticker, 10, LEASE, new OutboxPlan.Absence(Duration.ofDays(3650), false), OutboxMeters.NONE,
                (method, arguments) -> {});
        for (String id : List.of("gone", "late", LISTENER)) {
            Registration registration = outbox.subscribe(id, Paid.class, this::note);
            outbox.deliverNow();
            registration.close();
        }
        append("order-1", "1");
        execute("UPDATE RESERVATION_OUTBOX_LISTENERS SET seen_at = seen_at - INTERVAL '8' DAY");
        OutboxPlan.Absence dropping = new OutboxPlan.Absence(Duration.ofDays(7), true);
        try (LoggedWarnings warnings = new LoggedWarnings();
                StoreOutbox next = build(ticker, 10, LEASE, dropping, OutboxMeters.NONE, (method, arguments) -> {})) {
            next.subscribe(LISTENER, Paid.class, this::note);
            assertThat(next.deliverNow()).isEqualTo(1);
            pass(AbsentListeners.INTERVAL.minus(Courier.REGISTERED_EVERY), next);
            outbox.subscribe("late", Paid.class, this::note);
            assertThat(outbox.deliverNow()).isEqualTo(1);
            assertThat(count("_DELIVERIES")).isOne();

            ticker.advance(Courier.REGISTERED_EVERY);
            next.deliverNow();

            await().until(() -> !warnings.texts().isEmpty());
            assertThat(count("")).isZero();
            assertThat(warnings.texts()).singleElement().asString().contains("listener gone", "It is forgotten");
        }
        assertThat(outbox.listeners()).extracting(RegisteredListener::id).containsExactly("late", LISTENER);
    }

    /** Lets time pass, while an instance registers its listeners as often as it does in the background. */
    private void pass(Duration time, StoreOutbox instance) {
        for (long i = 0; i < time.dividedBy(Courier.REGISTERED_EVERY); i++) {
            ticker.advance(Courier.REGISTERED_EVERY);
            instance.deliverNow();
        }
    }

    /** The database was away, so nothing was registered. Its instances come back one after another. */
    @Test
    void norInTheFirstHourAfterAnOutage() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        outbox = build(ticker, 10, LEASE, new OutboxPlan.Absence(Duration.ofHours(1), true), OutboxMeters.NONE,
                (method, arguments) -> looks.addAndGet(method.equals("absent") ? 1 : 0));
        outbox.subscribe(LISTENER, Paid.class, this::note);
        outbox.deliverNow();

        ticker.advance(AbsentListeners.INTERVAL.plusMinutes(10));
        pass(AbsentListeners.INTERVAL.minus(Courier.REGISTERED_EVERY), outbox);
        assertThat(looks).hasValue(0);
        pass(Courier.REGISTERED_EVERY.multipliedBy(2), outbox);

        await().until(() -> looks.get() == 1);
    }

    @Test
    void whatCannotBeForgottenAsAWholeIsAWarningThatSaysHow() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        outbox = build(ticker, 10, LEASE, new OutboxPlan.Absence(Duration.ofHours(1), true), OutboxMeters.NONE,
                (method, arguments) -> {
                    if (method.equals("discard") && down.get()) {
                        throw new StoreException(StoreException.Kind.UNAVAILABLE, "away", new SQLException("away"));
                    }
                });
        Registration registration = outbox.subscribe("gone", Paid.class, this::note);
        outbox.subscribe(LISTENER, Paid.class, this::note);
        outbox.deliverNow();
        registration.close();
        append("order-1", "1");
        execute("UPDATE RESERVATION_OUTBOX_LISTENERS SET seen_at = seen_at - INTERVAL '8' DAY");
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            pass(AbsentListeners.INTERVAL.plus(Courier.REGISTERED_EVERY), outbox);

            await().until(() -> warnings.texts().stream().anyMatch(text -> text.contains("listener gone")));
            assertThat(warnings.texts()).last().asString()
                    .contains("could not be forgotten", "forget(\"gone\", \"");
        }
        assertThat(count("_DELIVERIES")).isOne();
        down.set(false);
        assertThat(outbox.forget("gone")).isTrue();
        assertThat(count("")).isZero();
    }
}
