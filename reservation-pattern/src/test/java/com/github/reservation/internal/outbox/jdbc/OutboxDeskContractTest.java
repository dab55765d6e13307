// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.outbox.OutboxStore.OwnLane;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.jdbc.lock.RecordingDataSource;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxFailure;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of an outbox tells operators, and does for them. */
class OutboxDeskContractTest extends OnOutboxStore {

    private static final Optional<String> ALL = Optional.empty();
    private static final Duration PAUSE = Duration.ofMinutes(5);

    /** More than a slice has. */
    private static final int MANY_OTHERS = 2_010;

    private long first;

    @BeforeEach
    void fill() throws Exception {
        register(MAILER, TYPE, "refund");
        register(BILLING, TYPE);
        append(event("a", TYPE, "1"), event("b", "refund", "2"), event("c", TYPE, "3"), event("a", "refund", "4"));
        first = store.ids(OutboxQuery.all(), false).getFirst();
    }

    private List<Long> ids(OutboxQuery query, boolean failed) throws Exception {
        return store.ids(query, failed).stream().map(id -> id - first + 1).toList();
    }

    /** The first event has failed, the second one is parked, and the third one is under way; the first listener has them. */
    private void trouble() throws Exception {
        open("a", failed(first, 3, PAUSE));
        open("b", parked(first + 1, 7));
        open("c", underWay(first + 2, 2));
    }

    @Test
    void idsAreThoseOfAQuery() throws Exception {
        trouble();

        assertThat(ids(OutboxQuery.all(), false)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(ids(OutboxQuery.all().after(first + 1), false)).containsExactly(3L, 4L);
        assertThat(ids(OutboxQuery.all().ofListener(BILLING), false)).containsExactly(1L, 3L);
        assertThat(ids(OutboxQuery.all().ofType("refund"), false)).containsExactly(2L, 4L);
        assertThat(ids(OutboxQuery.all().ofKey("a"), false)).containsExactly(1L, 4L);
        assertThat(ids(OutboxQuery.all().ofKey("a").ofType(TYPE).atMost(1), false)).containsExactly(1L);
        assertThat(ids(OutboxQuery.parked(), false)).containsExactly(2L);
        assertThat(ids(OutboxQuery.parked().ofListener(BILLING), false)).isEmpty();
    }

    @Test
    void failedIdsAreThoseThatAreNotUnderWay() throws Exception {
        trouble();

        assertThat(ids(OutboxQuery.all(), true)).containsExactly(1L, 2L);
        assertThat(ids(OutboxQuery.all().ofType(TYPE), true)).containsExactly(1L);
        assertThat(ids(OutboxQuery.all().ofKey("b"), true)).containsExactly(2L);
        assertThat(ids(OutboxQuery.parked(), true)).containsExactly(2L);
        assertThat(ids(OutboxQuery.all().after(first + 1), true)).isEmpty();
    }

    @Test
    void entriesHaveTheirListenersAndFailures() throws Exception {
        trouble();

        List<OutboxEntry> entries = store.list(OutboxQuery.all(), BUDGET);

        assertThat(entries).extracting(OutboxEntry::key).containsExactly("a", "b", "c", "a");
        assertThat(entries).extracting(OutboxEntry::payload).containsExactly("1", "2", "3", "4");
        assertThat(entries).extracting(OutboxEntry::type).containsExactly(TYPE, "refund", TYPE, "refund");
        assertThat(entries).extracting(OutboxEntry::listeners).containsExactly(
                List.of(BILLING, MAILER), List.of(MAILER), List.of(BILLING, MAILER), List.of(MAILER));
        assertThat(entries).extracting(OutboxEntry::failures).containsExactly(
                List.of(new OutboxFailure(MAILER, 3, false, "It failed")),
                List.of(new OutboxFailure(MAILER, 7, true, "It failed")),
                List.of(new OutboxFailure(MAILER, 2, false, "under way")),
                List.of());
        assertThat(store.list(OutboxQuery.parked(), BUDGET)).containsExactly(entries.get(1));
        assertThat(store.list(OutboxQuery.all().atMost(2), BUDGET)).hasSize(2);
        assertThat(store.list(OutboxQuery.all(), 3)).as("bytes").hasSize(3);
        assertThat(store.list(OutboxQuery.all(), 0)).as("bytes").hasSize(1);
        assertThat(store.list(OutboxQuery.all().after(first + 3), BUDGET)).isEmpty();
    }

    /** One was removed while it was read, and is so large that the page has no other. */
    @Test
    void aPageIsOnlyEmptyIfThereAreNoMore() throws Exception {
        database.execute("DELETE FROM RESERVATION_OUTBOX WHERE id = " + first);
        database.execute("UPDATE RESERVATION_OUTBOX_DELIVERIES SET bytes = " + BUDGET + " WHERE event_id = " + first);

        assertThat(store.list(OutboxQuery.all(), BUDGET)).extracting(OutboxEntry::payload)
                .containsExactly("2", "3", "4");
    }

    @Test
    void manyEventsAreListed() throws Exception {
        append(IntStream.range(0, 1_000).mapToObj(i -> event("d", TYPE, "5")).toArray(NewEvent[]::new));

        assertThat(store.ids(OutboxQuery.all(), false)).hasSize(OutboxStore.MANY);
        assertThat(store.list(OutboxQuery.all().atMost(1_000), BUDGET)).hasSize(1_000);
    }

    @Test
    void eventsAreFoundBehindManyOthers() throws Exception {
        append(IntStream.range(0, MANY_OTHERS).mapToObj(i -> event("d", TYPE, "5")).toArray(NewEvent[]::new));
        append(event("e", "refund", "6"));
        long last = store.lastId();
        OutboxQuery refunds = OutboxQuery.all().ofType("refund");

        assertThat(ids(refunds, false)).containsExactly(2L, 4L, last - first + 1);
        assertThat(store.list(refunds, BUDGET)).extracting(OutboxEntry::payload).containsExactly("2", "4", "6");
        assertThat(store.list(refunds.atMost(2), BUDGET)).extracting(OutboxEntry::payload).containsExactly("2", "4");
        assertThat(store.ids(refunds.after(last - 1), false)).containsExactly(last);
        assertThat(store.ids(refunds.after(last), false)).isEmpty();
    }

    @Test
    void aPageOfEventsThatAreDeliveredMeanwhileIsNotTheLast() throws Exception {
        database.execute("DELETE FROM RESERVATION_OUTBOX WHERE id <= " + (first + 1));

        assertThat(store.list(OutboxQuery.all().atMost(1), BUDGET)).extracting(OutboxEntry::payload)
                .containsExactly("3");
    }

    /** No event is meant, so that a search goes on to the end. */
    @Test
    void aSearchEndsAlthoughAnEventIsAppendedAfterEachSlice() throws Exception {
        RecordingDataSource recorded = new RecordingDataSource(pool);
        AtomicInteger appended = new AtomicInteger();
        appendBeforeEachSlice(recorded, appended);

        JdbcOutbox searched = storeOn(recorded.dataSource(), Duration.ofSeconds(10));
        assertThat(searched.list(OutboxQuery.all().ofKey("nobody's"), BUDGET)).isEmpty();
        assertThat(searched.ids(OutboxQuery.all().ofKey("nobody's"), false)).isEmpty();

        assertThat(appended).as("two for each search: one slice, and the look that finds no more").hasValue(4);
    }

    /** Stops after some time, so that a search that does not end by itself ends, too. */
    private void appendBeforeEachSlice(RecordingDataSource recorded, AtomicInteger appended) {
        recorded.beforeNext(") slice", () -> {
            if (appended.incrementAndGet() < 20) {
                appendBeforeEachSlice(recorded, appended);
            }
            try {
                append("d", "5");
            } catch (SQLException | StoreException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void listenersSayWhatWaits() throws Exception {
        trouble();
        store.unregister(BILLING, ALL, Optional.empty());
        register("idle", "void");

        List<RegisteredListener> listeners = store.listeners();

        assertThat(listeners).extracting(RegisteredListener::id).containsExactly(BILLING, "idle", MAILER);
        assertThat(listeners).extracting(RegisteredListener::pending).containsExactly(2L, 0L, 3L);
        assertThat(listeners).extracting(RegisteredListener::parked).containsExactly(0L, 0L, 1L);
        assertThat(listeners.get(0).types()).isEmpty();
        assertThat(listeners.get(1).oldest()).isEmpty();
        assertThat(listeners.get(2).oldest()).hasValueSatisfying(age -> assertThat(age).isLessThan(PAUSE));
        assertThat(listeners.get(2).types()).containsOnlyKeys("refund", TYPE);
        assertThat(listeners.get(2).lastSeen()).hasValueSatisfying(
                seen -> assertThat(seen).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60)));
    }

    @Test
    void failedDeliveriesAreRetried() throws Exception {
        trouble();
        List<Long> ids = store.ids(OutboxQuery.all(), false);

        assertThat(store.retry(ids, Optional.of(BILLING))).isZero();
        assertThat(store.retry(List.of(first), ALL)).isEqualTo(1);
        assertThat(store.retry(ids, Optional.of(MAILER))).isEqualTo(1);
        assertThat(store.retry(ids, ALL)).isZero();

        assertThat(store.takeKey(MAILER, KeyIds.of("b"), ME, LEASE)).contains(new OwnLane(-first - 1, first + 1, 1));
    }

    @Test
    void discardedEventsAreGoneAndTheirKeysGoOn() throws Exception {
        trouble();

        assertThat(store.discard(List.of(first, first + 1), ALL)).isEqualTo(3);
        assertThat(store.discard(List.of(first, first + 1), ALL)).isZero();

        assertThat(ids(OutboxQuery.all(), false)).containsExactly(3L, 4L);
        assertThat(count("")).isEqualTo(2);
        assertThat(ids(OutboxQuery.all(), true)).isEmpty();
        assertThat(store.takeKey(MAILER, KeyIds.of("a"), ME, LEASE)).contains(new OwnLane(-first, first, 1));
        assertThat(payloads(MAILER, -first)).containsExactly("4");
        assertThat(store.takeKey(MAILER, KeyIds.of("b"), ME, LEASE)).contains(new OwnLane(-first - 1, first + 1, 1));
        store.leave(MAILER, KeyIds.of("b"), ME, 0);
        assertThat(hasOwnLane(MAILER, "b")).isFalse();
    }

    @Test
    void anEventThatIsDiscardedWhileItFailsDoesNotBlockItsKey() throws Exception {
        trouble();
        String key = KeyIds.of("a");
        store.retry(List.of(first), ALL);
        store.takeKey(MAILER, key, ME, LEASE);

        store.discard(List.of(first), ALL);
        assertThat(store.record(MAILER, key, ME, parked(first, 1))).isTrue();

        assertThat(store.takeKey(MAILER, key, OTHER, LEASE)).contains(new OwnLane(-first, first, 1));
    }

    @Test
    void whatIsUnderWayStaysSoWhenItsEventIsDiscarded() throws Exception {
        trouble();

        assertThat(store.discard(List.of(first + 2), Optional.of(MAILER))).isEqualTo(1);

        assertThat(store.record(MAILER, KeyIds.of("c"), ME, underWay(first + 2, 2))).isTrue();
        assertThat(payloads(BILLING, shared("c"))).containsExactly("3");
        assertThat(read(MAILER, -first - 2)).extracting(StoredEvent::id).isEmpty();
    }
}
