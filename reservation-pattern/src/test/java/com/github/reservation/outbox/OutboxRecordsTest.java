// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.OutboxStore.Attempt;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.outbox.Step.Skipped;
import com.github.reservation.outbox.Step.Taken;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the tables record about an event that is not delivered, if instances come late or together. */
@SideBySide
class OutboxRecordsTest extends OnOutbox {

    private static final Listener REGISTERED = new Listener(LISTENER, List.of(Taken.class.getName()));

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(1);

    private OutboxStore store;

    @BeforeEach
    void register() throws StoreException {
        store = new JdbcOutbox(
                new SqlTable(pool, Optional.empty(), JdbcOutbox.DEFAULT_EVENTS, Duration.ofSeconds(5), JdbcOutbox.DDL),
                Optional.empty());
        store.register(REGISTERED);
    }

    /** Returns all events that are due for the listener. */
    private List<StoredEvent> due() throws StoreException {
        List<StoredEvent> due = new ArrayList<>();
        for (int lane : store.dueLanes(REGISTERED)) {
            due.addAll(store.read(LISTENER, lane));
        }
        return due;
    }

    private StoredEvent appended() throws StoreException {
        append("order-1", 1);
        return due().getFirst();
    }

    private static Attempt attempt(StoredEvent event, int attempts, String owner) {
        return new Attempt(event, attempts, owner);
    }

    private String recorded() {
        return database.query("SELECT state FROM RESERVATION_OUTBOX_DELIVERIES") + " by "
                + database.query("SELECT owner FROM RESERVATION_OUTBOX_DELIVERIES");
    }

    @Test
    void anInstanceThatComesLateDoesNotTouchTheHoldOfAnother() throws Exception {
        StoredEvent event = appended();
        store.hold(LISTENER, attempt(event, 1, "one"), SHORT);
        await().until(() -> !due().isEmpty());
        assertThat(store.hold(LISTENER, attempt(due().getFirst(), 2, "other"), LONG)).isTrue();

        assertThat(store.fail(LISTENER, attempt(event, 1, "one"), SHORT, "late")).isFalse();
        assertThat(store.park(LISTENER, attempt(event, 1, "one"), "late")).isFalse();
        assertThat(store.hold(LISTENER, attempt(event, 1, "one"), LONG)).isFalse();
        assertThat(store.hold(LISTENER, attempt(event, 2, "one"), LONG)).isFalse();
        store.undoHold(LISTENER, event.id(), "one");

        assertThat(recorded()).isEqualTo("held by other");
        assertThat(store.fail(LISTENER, attempt(event, 2, "other"), SHORT, "in time")).isTrue();
    }

    @Test
    void whatIsDeliveredDoesNotFailLater() throws Exception {
        store.register(new Listener("absent", List.of(Taken.class.getName())));
        StoredEvent event = appended();
        store.complete(LISTENER, List.of(event), true);

        assertThat(store.fail(LISTENER, attempt(event, 1, "late"), SHORT, "late")).isFalse();
        assertThat(store.park(LISTENER, attempt(event, 1, "late"), "late")).isFalse();

        assertThat(due()).isEmpty();
        assertThat(database.query("SELECT state FROM RESERVATION_OUTBOX_DELIVERIES")).isEqualTo("done");
    }

    @Test
    void theSameCanBeRecordedAgain() throws Exception {
        StoredEvent event = appended();

        for (int i = 0; i < 2; i++) {
            assertThat(store.hold(LISTENER, attempt(event, 1, "one"), LONG)).isTrue();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(store.park(LISTENER, attempt(event, 1, "one"), "broken")).isTrue();
        }

        assertThat(recorded()).isEqualTo("parked by one");
    }

    @Test
    void aHoldThatHasEndedIsLost_evenIfNobodyTookTheEvent() throws Exception {
        StoredEvent event = appended();
        store.hold(LISTENER, attempt(event, 1, "one"), SHORT);
        await().until(() -> !due().isEmpty());

        assertThat(store.renewHold(LISTENER, event.id(), "one", LONG)).isFalse();

        assertThat(due()).hasSize(1);
    }

    @Test
    void aHeldEventBlocksItsKey_alsoAnEarlierEventThatIsCommittedLater() throws Exception {
        try (Connection slow = pool.getConnection()) {
            slow.setAutoCommit(false);
            outbox.append(slow, "order-1", new Taken(1));
            append("order-1", 2);
            StoredEvent second = due().getFirst();
            store.hold(LISTENER, attempt(second, 1, "one"), LONG);
            slow.commit();
            slow.setAutoCommit(true);

            assertThat(rows()).isEqualTo(2);
            assertThat(due()).isEmpty();
            store.complete(LISTENER, List.of(second), true);
            assertThat(due()).hasSize(1);
        }
    }

    @Test
    void aDiscardAtTheSameTimeLeavesNoRecord() throws Exception {
        StoredEvent event = appended();
        try (Actor instance = new Actor("instance");
                Connection discard = pool.getConnection();
                Statement statement = discard.createStatement()) {
            discard.setAutoCommit(false);
            statement.executeUpdate("DELETE FROM RESERVATION_OUTBOX WHERE id = " + event.id());
            Future<Boolean> parking =
                    instance.starts(() -> store.park(LISTENER, attempt(event, 1, "one"), "broken"));
            await().during(Duration.ofMillis(100)).until(() -> !parking.isDone());
            discard.commit();
            discard.setAutoCommit(true);

            assertThat(Actor.result(parking)).isFalse();
        }
        assertThat(records()).isZero();
    }

    @Test
    void anAttemptThatDidNotBeginIsNotCounted() throws Exception {
        StoredEvent event = appended();
        store.hold(LISTENER, attempt(event, 1, "one"), LONG);
        store.undoHold(LISTENER, event.id(), "one");
        assertThat(records()).isZero();

        store.fail(LISTENER, attempt(event, 1, "one"), SHORT, "broken");
        store.hold(LISTENER, attempt(event, 2, "one"), LONG);
        store.undoHold(LISTENER, event.id(), "one");

        assertThat(due()).singleElement().extracting(StoredEvent::attempts).isEqualTo(1);
        assertThat(outbox.list(OutboxQuery.all()).getFirst().failures())
                .containsExactly(new OutboxFailure(LISTENER, 1, false, "broken"));
    }

    @Test
    void aDeliveryLeavesNoRecord_whoeverHasWrittenIt() throws Exception {
        StoredEvent event = appended();
        store.hold(LISTENER, attempt(event, 1, "one"), LONG);

        store.complete(LISTENER, List.of(event), true);

        assertThat(rows()).isZero();
        assertThat(records()).isZero();
    }

    @Test
    void anOlderInstanceDoesNotTakeTypesAway() throws Exception {
        store.register(new Listener(LISTENER, List.of(Taken.class.getName(), Skipped.class.getName())));

        store.register(REGISTERED);

        assertThat(database.query("SELECT event_types FROM RESERVATION_OUTBOX_LISTENERS"))
                .contains(Taken.class.getName(), Skipped.class.getName());
    }

    @Test
    void aRegistrationTellsWhetherTheListenerWasUnknown() throws Exception {
        assertThat(store.register(REGISTERED)).isFalse();

        store.forget(LISTENER);

        assertThat(store.register(REGISTERED)).isTrue();
        assertThat(store.register(REGISTERED)).isFalse();
    }

    @Test
    void aListenerThatIsKnownAgainKeepsWhatItHas() throws Exception {
        store.register(new Listener("absent", List.of(Taken.class.getName())));
        StoredEvent event = appended();
        store.forget(LISTENER);
        store.register(REGISTERED);
        store.complete(LISTENER, List.of(event), true);

        assertThat(store.removeForgotten(LISTENER, 0)).isEmpty();

        assertThat(due()).isEmpty();
        assertThat(recorded()).startsWith("done");
    }

    @Test
    void aForgottenListenerLeavesNoRecordOfAnEventThatIsGone() throws Exception {
        StoredEvent event = appended();
        store.park(LISTENER, attempt(event, 1, "one"), "broken");
        database.execute("DELETE FROM RESERVATION_OUTBOX");

        store.forget(LISTENER);
        store.removeForgotten(LISTENER, 0);

        assertThat(records()).isZero();
    }

    @Test
    void lanesThatAreMissingAreAdded() throws Exception {
        database.execute("DELETE FROM RESERVATION_OUTBOX_LANES WHERE lane BETWEEN 3 AND 60");

        store.register(REGISTERED);

        assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX_LANES")).isEqualTo("64");
    }

    @Test
    void anEventWhoseLastAttemptDidNotComeBackIsParked() throws Exception {
        Outbox strict = build(builder().maxAttempts(2));
        strict.subscribe(LISTENER, Taken.class, this::note);
        StoredEvent event = appended();
        store.hold(LISTENER, attempt(event, 1, "dead"), SHORT);
        store.hold(LISTENER, attempt(event, 2, "dead"), SHORT);
        assertThat(strict.list(OutboxQuery.all()).getFirst().failures())
                .containsExactly(new OutboxFailure(LISTENER, 2, false, "not back yet"));
        await().until(() -> !due().isEmpty());

        assertThat(strict.deliverNow()).isZero();

        assertThat(arrived).isEmpty();
        assertThat(strict.list(OutboxQuery.parked()).getFirst().failures())
                .containsExactly(new OutboxFailure(LISTENER, 2, true, "The last attempt did not come back"));
    }
}
