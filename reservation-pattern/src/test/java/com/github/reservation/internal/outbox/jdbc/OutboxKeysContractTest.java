// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.outbox.OutboxStore.DueKey;
import com.github.reservation.internal.outbox.OutboxStore.OwnLane;
import com.github.reservation.internal.outbox.StoredEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of an outbox does with keys that have a lane of their own. */
class OutboxKeysContractTest extends OnOutboxStore {

    private static final String KEY_ID = KeyIds.of(KEY);

    @BeforeEach
    void register() throws Exception {
        register(MAILER, TYPE);
        register(BILLING, TYPE);
        append(KEY, "1", "2");
    }

    private List<StoredEvent> events() throws Exception {
        return read(MAILER, shared(KEY));
    }

    private List<Duration> dueIn() throws Exception {
        return store.nextKeys(MAILER, 10).stream().map(DueKey::dueIn).toList();
    }

    @Test
    void anOpenedLaneHasTheEventsOfItsKey() throws Exception {
        append("other", "3");
        long head = events().getFirst().id();

        long lane = open(KEY, failed(head, 1, Duration.ofMinutes(5)));

        assertThat(payloads(MAILER, lane)).containsExactly("1", "2");
        assertThat(payloads(MAILER, shared(KEY))).isEmpty();
        assertThat(payloads(MAILER, shared("other"))).containsExactly("3");
        assertThat(payloads(BILLING, shared(KEY))).containsExactly("1", "2");
        assertThat(store.nextLane(MAILER, 0)).hasValue(shared("other"));
        assertThat(hasOwnLane(MAILER, "other")).isFalse();
        assertThat(hasOwnLane(BILLING, KEY)).isFalse();
    }

    @Test
    void openingAgainIsTheSame() throws Exception {
        List<StoredEvent> events = events();
        long head = events.getFirst().id();
        store.take(MAILER, shared(KEY), ME, LEASE);

        assertThat(store.open(MAILER, shared(KEY), ME, events, underWay(head, 1))).isTrue();
        assertThat(store.open(MAILER, shared(KEY), ME, events, underWay(head, 1))).isTrue();

        assertThat(read(MAILER, -head)).hasSize(2);
    }

    /** The reply to the first call was lost, and its listener has got the next event meanwhile. */
    @Test
    void whoHasOpenedALaneMayOpenItWithTheNextEvent() throws Exception {
        List<StoredEvent> events = events();
        long second = events.getLast().id();
        store.take(MAILER, shared(KEY), ME, LEASE);
        store.open(MAILER, shared(KEY), ME, events, underWay(events.getFirst().id(), 1));

        assertThat(store.open(MAILER, shared(KEY), ME, events.subList(1, 2), failed(second, 1, OVER))).isTrue();

        assertThat(store.takeKey(MAILER, KEY_ID, OTHER, LEASE))
                .contains(new OwnLane(-events.getFirst().id(), second, 2));
    }

    @Test
    void onlyTheOwnerOfTheSharedLaneOpensOne() throws Exception {
        List<StoredEvent> events = events();
        long head = events.getFirst().id();

        assertThat(store.open(MAILER, shared(KEY), ME, events, underWay(head, 1))).isFalse();
        store.take(MAILER, shared(KEY), OTHER, LEASE);
        assertThat(store.open(MAILER, shared(KEY), ME, events, underWay(head, 1))).isFalse();

        assertThat(count("_KEYS")).isZero();
        assertThat(payloads(MAILER, shared(KEY))).containsExactly("1", "2");
    }

    @Test
    void aLeaseThatIsOverCountsUntilAnotherTakesTheLane() throws Exception {
        List<StoredEvent> events = events();
        store.take(MAILER, shared(KEY), ME, LEASE);
        shift("_LANES", "leased_until", LEASE.multipliedBy(2).negated());

        assertThat(store.open(MAILER, shared(KEY), ME, events, underWay(events.getFirst().id(), 1))).isTrue();

        assertThat(payloads(MAILER, shared(KEY))).isEmpty();
    }

    @Test
    void whatIsRepeatedDoesNotTouchTheLeaseOfTheNextOwner() throws Exception {
        List<StoredEvent> events = events();
        long head = events.getFirst().id();
        store.take(MAILER, shared(KEY), ME, LEASE);
        store.open(MAILER, shared(KEY), ME, events, failed(head, 1, OVER));
        assertThat(store.takeKey(MAILER, KEY_ID, OTHER, LEASE)).isPresent();

        assertThat(store.open(MAILER, shared(KEY), ME, events, failed(head, 1, OVER))).isFalse();
        assertThat(store.record(MAILER, KEY_ID, ME, failed(head, 1, OVER))).isFalse();
        assertThat(store.leave(MAILER, KEY_ID, ME, 0)).isFalse();

        assertThat(store.takeKey(MAILER, KEY_ID, "third", LEASE)).isEmpty();
        assertThat(store.record(MAILER, KEY_ID, OTHER, underWay(head, 2))).isTrue();
    }

    @Test
    void keysAreDueInTheirOrder() throws Exception {
        append("a", "1");
        append("b", "1");
        append("parked", "1");
        open(KEY, failed(1, 1, Duration.ofMinutes(5)));
        open("a", failed(1, 1, OVER));
        open("b", underWay(1, 1));
        open("parked", parked(1, 1));

        assertThat(store.nextKeys(MAILER, 10).stream().map(DueKey::keyId))
                .containsExactly(KeyIds.of("a"), KeyIds.of("b"), KEY_ID);
        assertThat(store.nextKeys(MAILER, 1)).hasSize(1);
        assertThat(store.nextKeys(BILLING, 10)).isEmpty();
        assertThat(dueIn().get(0)).isBetween(Duration.ofSeconds(-30), Duration.ZERO);
        assertThat(dueIn().get(1)).isBetween(Duration.ZERO, LEASE);
        assertThat(dueIn().get(2)).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    }

    @Test
    void aKeyIsLeasedWhenItIsDueAndTheAttemptCounts() throws Exception {
        long lane = open(KEY, failed(1, 1, OVER));

        assertThat(store.takeKey(MAILER, KEY_ID, ME, LEASE)).contains(new OwnLane(lane, 1, 2));
        assertThat(store.takeKey(MAILER, KEY_ID, ME, LEASE)).as("again").contains(new OwnLane(lane, 1, 2));
        assertThat(store.takeKey(MAILER, KEY_ID, OTHER, LEASE)).isEmpty();

        shift("_KEYS", "due_at", LEASE.negated());
        assertThat(store.takeKey(MAILER, KEY_ID, OTHER, LEASE)).contains(new OwnLane(lane, 1, 3));
        assertThat(store.takeKey(MAILER, KeyIds.of("other"), ME, LEASE)).isEmpty();
    }

    /** After 25 days of 1,000 events a second. */
    @Test
    void aLaneHasANumberAsLongAsThatOfItsEvent() throws Exception {
        long far = 3_000_000_000L;
        boolean mySql = kind.ddl().equals("mariadb") || kind.ddl().equals("mysql");
        database.execute("ALTER TABLE RESERVATION_OUTBOX "
                + (mySql ? "AUTO_INCREMENT = " : "ALTER COLUMN id RESTART WITH ") + far);
        database.execute("DELETE FROM RESERVATION_OUTBOX_DELIVERIES");
        append(KEY, "1", "2");
        long lane = open(KEY, underWay(far, 1));
        assertThat(lane).isLessThanOrEqualTo(-far);

        store.leave(MAILER, KEY_ID, ME, 0);

        assertThat(hasOwnLane(MAILER, KEY)).isTrue();
        assertThat(store.takeKey(MAILER, KEY_ID, ME, LEASE)).get().extracting(OwnLane::lane).isEqualTo(lane);
    }

    @Test
    void aParkedKeyIsNeverLeased() throws Exception {
        open(KEY, parked(1, 1));

        assertThat(store.takeKey(MAILER, KEY_ID, ME, LEASE)).isEmpty();
    }

    @Test
    void anAttemptIsRecorded() throws Exception {
        long head = -open(KEY, underWay(events().getFirst().id(), 1));

        assertThat(store.record(MAILER, KEY_ID, ME, underWay(head, 1))).isTrue();
        assertThat(store.record(MAILER, KEY_ID, ME, failed(head, 1, Duration.ofMinutes(5)))).isTrue();
        assertThat(store.record(MAILER, KEY_ID, ME, failed(head, 1, Duration.ofMinutes(5)))).as("again").isFalse();
        assertThat(store.record(MAILER, KEY_ID, ME, failed(head, 2, OVER))).as("not leased").isFalse();
        assertThat(dueIn().getFirst()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));

        shift("_KEYS", "due_at", Duration.ofMinutes(-5));
        assertThat(store.takeKey(MAILER, KEY_ID, ME, LEASE)).contains(new OwnLane(-head, head, 2));
        assertThat(store.record(MAILER, KEY_ID, ME, parked(head, 2))).isTrue();
        assertThat(store.record(MAILER, KEY_ID, ME, parked(head, 2))).as("again").isFalse();
        assertThat(dueIn()).isEmpty();
    }

    @Test
    void aLeaseIsRenewedUntilAnotherTakesTheKey() throws Exception {
        long head = -open(KEY, underWay(1, 1));
        shift("_KEYS", "due_at", LEASE.multipliedBy(2).negated());

        assertThat(store.record(MAILER, KEY_ID, ME, underWay(head, 1))).isTrue();

        assertThat(store.takeKey(MAILER, KEY_ID, OTHER, LEASE)).as("it is renewed").isEmpty();
        shift("_KEYS", "due_at", LEASE.multipliedBy(2).negated());
        store.takeKey(MAILER, KEY_ID, OTHER, LEASE);
        assertThat(store.record(MAILER, KEY_ID, ME, failed(head, 1, OVER))).isFalse();
        store.leave(MAILER, KEY_ID, ME, 0);
        assertThat(store.takeKey(MAILER, KEY_ID, ME, LEASE)).isEmpty();
        assertThat(store.record(MAILER, KEY_ID, ME, underWay(head, 1))).isFalse();
    }

    @Test
    void aLaneIsClosedWhenItIsEmpty() throws Exception {
        long lane = open(KEY, underWay(1, 1));

        store.complete(MAILER, read(MAILER, lane).subList(0, 1));
        store.leave(MAILER, KEY_ID, ME, 0);
        assertThat(store.takeKey(MAILER, KEY_ID, ME, LEASE)).as("it is due").contains(new OwnLane(lane, 1, 1));

        store.complete(MAILER, read(MAILER, lane));
        store.leave(MAILER, KEY_ID, ME, 0);
        store.leave(MAILER, KEY_ID, ME, 0);
        assertThat(count("_KEYS")).isZero();

        append(KEY, "3");
        assertThat(payloads(MAILER, shared(KEY))).containsExactly("3");
    }

    @Test
    void deliveriesAreMovedIfTheLaneOfTheirKeyIsOpen() throws Exception {
        long lane = open(KEY, underWay(1, 1));
        append(KEY, "3", "4");
        append("other", "5");
        List<StoredEvent> late = store.read(MAILER, shared(KEY), BUDGET).elsewhere();
        List<StoredEvent> both = List.of(late.get(0), late.get(1), read(MAILER, shared("other")).getFirst());

        assertThat(late).extracting(StoredEvent::keyId).containsExactly(KEY_ID, KEY_ID);
        assertThat(late).extracting(StoredEvent::payload).as("not needed").containsOnlyNulls();
        assertThat(store.read(MAILER, shared("other"), BUDGET).elsewhere()).isEmpty();
        assertThat(store.read(MAILER, lane, BUDGET).elsewhere()).as("in its own lane").isEmpty();
        assertThat(store.read(BILLING, shared(KEY), BUDGET).elsewhere()).as("of another listener").isEmpty();
        assertThat(store.move(MAILER, both)).isEqualTo(1);
        assertThat(store.move(MAILER, both)).as("again").isEqualTo(1);
        assertThat(store.move(BILLING, both)).as("of another listener").isZero();

        assertThat(payloads(MAILER, lane)).containsExactly("1", "2", "3", "4");
        assertThat(payloads(MAILER, shared(KEY))).isEmpty();
        assertThat(payloads(MAILER, shared("other"))).containsExactly("5");
        assertThat(payloads(BILLING, shared(KEY))).containsExactly("1", "2", "3", "4");
    }

    @Test
    void aClockThatWasSetBackMakesKeysDueThatCannotWaitForSoLong() throws Exception {
        append("parked", "1");
        append("leased", "1");
        open(KEY, failed(1, 1, Duration.ofMinutes(1)));
        open("parked", parked(1, 1));
        open("leased", underWay(1, 1));
        shift("_KEYS", "due_at", Duration.ofHours(1));

        register(MAILER, TYPE);

        assertThat(store.nextKeys(MAILER, 10).stream().map(DueKey::keyId))
                .containsExactlyInAnyOrder(KEY_ID, KeyIds.of("leased"));
        assertThat(dueIn().getLast()).isLessThanOrEqualTo(Duration.ZERO);
    }

    @Test
    void aPauseThatMayBeAsLongStays() throws Exception {
        open(KEY, failed(1, 1, Duration.ofDays(1)));
        shift("_KEYS", "due_at", Duration.ofHours(1));

        register(MAILER, TYPE);

        assertThat(dueIn().getFirst()).isGreaterThan(Duration.ofDays(1));
    }

    @Test
    void aKeyThatWasGivenBackIsDueAgainAfterTheClockWasSetBack() throws Exception {
        open(KEY, underWay(1, 1));
        store.leave(MAILER, KEY_ID, ME, 0);
        shift("_KEYS", "due_at", Duration.ofHours(1));

        register(MAILER, TYPE);

        assertThat(store.takeKey(MAILER, KEY_ID, OTHER, LEASE)).isPresent();
    }

    /** As if an instance that had lost its lease delivered the event after all. */
    @Test
    void aPurgeMakesAParkedKeyDueWhoseEventIsGone() throws Exception {
        append("other", "1");
        long head = events().getFirst().id();
        long lane = open(KEY, parked(head, 1));
        open("other", parked(read(MAILER, shared("other")).getFirst().id(), 1));
        store.complete(MAILER, read(MAILER, lane).subList(0, 1));
        assertThat(dueIn()).isEmpty();

        store.purge();

        assertThat(store.nextKeys(MAILER, 10).stream().map(DueKey::keyId)).containsExactly(KEY_ID);
        assertThat(payloads(MAILER, lane)).containsExactly("2");
    }
}
