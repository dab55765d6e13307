// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.outbox.OutboxStore.StoredPage;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.outbox.OutboxQuery;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store of an outbox does, when nothing else happens at the same time. */
class OutboxStoreContractTest extends OnOutboxStore {

    @Test
    void anEventWaitsForThoseThatWantItsType() throws Exception {
        register(MAILER, TYPE, "refund");
        register(BILLING, "refund");

        assertThat(append(event(KEY, TYPE, "1"))).isEmpty();
        assertThat(append(event(KEY, "refund", "2"))).isEmpty();

        assertThat(payloads(MAILER, shared(KEY))).containsExactly("1", "2");
        assertThat(payloads(BILLING, shared(KEY))).containsExactly("2");
    }

    @Test
    void anEventThatNobodyWantsIsNotInserted() throws Exception {
        register(MAILER, TYPE);

        assertThat(append(event(KEY, "refund", "1"))).containsExactly("refund");
        assertThat(append(event(KEY, "refund", "2"), event(KEY, TYPE, "3"), event(KEY, "void", "4")))
                .containsExactlyInAnyOrder("refund", "void");

        assertThat(payloads(MAILER, shared(KEY))).containsExactly("3");
        assertThat(count("")).isEqualTo(1);
    }

    @Test
    void listenersOfTheInstanceNeedNotBeRegistered() throws Exception {
        register(MAILER, TYPE);

        assertThat(append(event(KEY, TYPE, "1", MAILER, BILLING))).isEmpty();
        assertThat(append(event(KEY, "refund", "2", BILLING), event(KEY, TYPE, "3", BILLING))).isEmpty();

        assertThat(payloads(MAILER, shared(KEY))).containsExactly("1", "3");
        assertThat(payloads(BILLING, shared(KEY))).containsExactly("1", "2", "3");
        assertThat(count("")).isEqualTo(3);
    }

    @Test
    void eventsHaveTheOrderOfTheList() throws Exception {
        register(MAILER, TYPE);
        NewEvent[] events = IntStream.range(0, 90)
                .mapToObj(i -> event(i % 3 == 0 ? "a" : "b", i % 5 == 0 ? "unwanted" : TYPE, String.valueOf(i)))
                .toArray(NewEvent[]::new);

        append(events);

        for (String key : List.of("a", "b")) {
            assertThat(read(MAILER, shared(key))).allMatch(event -> event.keyId().equals(KeyIds.of(key)));
            assertThat(payloads(MAILER, shared(key))).containsExactlyElementsOf(List.of(events).stream()
                    .filter(event -> event.key().equals(key) && event.type().equals(TYPE))
                    .map(NewEvent::payload)
                    .toList());
        }
    }

    @Test
    void whatIsRolledBackIsNotThere() throws Exception {
        register(MAILER, TYPE);

        transaction(connection -> {
            store.append(connection, List.of(event(KEY, TYPE, "1")));
            connection.rollback();
        });

        assertThat(count("") + count("_DELIVERIES")).isZero();
    }

    @Test
    void anEventIsReadAsItWasAppended() throws Exception {
        register(MAILER, TYPE);
        append("ключ", "{\"ä\": \"\uD83D\uDE00\"}");

        StoredEvent event = read(MAILER, shared("ключ")).getFirst();

        assertThat(event.key()).isEqualTo("ключ");
        assertThat(event.type()).isEqualTo(TYPE);
        assertThat(event.payload()).isEqualTo("{\"ä\": \"\uD83D\uDE00\"}");
        assertThat(event.createdAt()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    }

    @Test
    void aPageHasAsManyBytesAsItMayButAtLeastOneEvent() throws Exception {
        register(MAILER, TYPE);
        append(KEY, "12345", "12345", "12345");

        assertPage(15, 3, false);
        assertPage(14, 2, true);
        assertPage(10, 2, true);
        assertPage(9, 1, true);
        assertPage(1, 1, true);
    }

    private void assertPage(long bytes, int events, boolean mayHaveMore) throws Exception {
        StoredPage page = store.read(MAILER, shared(KEY), bytes);
        assertThat(page.events()).hasSize(events);
        assertThat(page.mayHaveMore()).isEqualTo(mayHaveMore);
    }

    @Test
    void aPageIsNotLongerThanAllowed() throws Exception {
        register(MAILER, TYPE);
        append(IntStream.range(0, OutboxStore.PAGE + 1)
                .mapToObj(i -> event(KEY, TYPE, String.valueOf(i)))
                .toArray(NewEvent[]::new));

        assertThat(read(MAILER, shared(KEY))).hasSize(OutboxStore.PAGE);
    }

    @Test
    void aDeliveryWithoutItsEventHasNoPayload() throws Exception {
        register(MAILER, TYPE);
        append(KEY, "1");
        database.execute("DELETE FROM RESERVATION_OUTBOX");

        StoredEvent event = read(MAILER, shared(KEY)).getFirst();

        assertThat(event.payload()).isNull();
        assertThat(event.key() + event.type()).isEmpty();
        store.complete(MAILER, List.of(event));
        assertThat(count("_DELIVERIES")).isZero();
    }

    @Test
    void theNextLaneIsTheLowestThatHasADelivery() throws Exception {
        register(MAILER, TYPE);
        append("a", "1");
        append("b", "1");
        int low = Math.min(shared("a"), shared("b"));
        int high = Math.max(shared("a"), shared("b"));

        assertThat(store.nextLane(MAILER, 0)).hasValue(low);
        assertThat(store.nextLane(MAILER, low)).hasValue(low);
        assertThat(store.nextLane(MAILER, low + 1)).hasValue(high);
        assertThat(store.nextLane(MAILER, high + 1)).isEmpty();
        assertThat(store.nextLane(BILLING, 0)).isEmpty();
    }

    @Test
    void aLaneHasOneOwner() throws Exception {
        register(MAILER, TYPE);

        assertThat(store.take(MAILER, 7, ME, LEASE)).isTrue();
        assertThat(store.take(MAILER, 7, ME, LEASE)).as("again").isTrue();
        assertThat(store.take(MAILER, 7, OTHER, LEASE)).isFalse();
        store.release(MAILER, 7, OTHER);
        assertThat(store.take(MAILER, 7, OTHER, LEASE)).isFalse();
        store.release(MAILER, 7, ME);
        assertThat(store.take(MAILER, 7, OTHER, LEASE)).isTrue();
    }

    @Test
    void aLaneIsFreeWhenItsLeaseIsOverOrCannotBe() throws Exception {
        register(MAILER, TYPE);
        store.take(MAILER, 7, ME, LEASE);

        shift("_LANES", "leased_until", LEASE.negated());
        assertThat(store.take(MAILER, 7, OTHER, LEASE)).as("over").isTrue();

        shift("_LANES", "leased_until", Duration.ofHours(1));
        assertThat(store.take(MAILER, 7, ME, LEASE)).as("the clock was set back").isTrue();
    }

    @Test
    void aLaneThatIsFreeStaysSoWhenTheClockIsSetBack() throws Exception {
        register(MAILER, TYPE);
        store.take(MAILER, 7, ME, LEASE);
        store.release(MAILER, 7, ME);

        shift("_LANES", "leased_until", LEASE);

        assertThat(store.take(MAILER, 7, OTHER, LEASE)).isTrue();
    }

    @Test
    void anInstanceWithAShorterLeaseDoesNotTakeALaneThatIsLeasedForLonger() throws Exception {
        register(MAILER, TYPE);
        store.take(MAILER, 7, ME, LEASE.multipliedBy(10));

        assertThat(store.take(MAILER, 7, OTHER, LEASE)).isFalse();
    }

    @Test
    void aDeliveredEventIsRemovedWhenNobodyWaits() throws Exception {
        register(MAILER, TYPE);
        register(BILLING, TYPE);
        append(KEY, "1", "2");
        List<StoredEvent> first = read(MAILER, shared(KEY)).subList(0, 1);

        store.complete(MAILER, first);
        store.complete(MAILER, first);
        assertThat(payloads(MAILER, shared(KEY))).containsExactly("2");
        assertThat(payloads(BILLING, shared(KEY))).containsExactly("1", "2");

        store.complete(BILLING, first);
        assertThat(payloads(BILLING, shared(KEY))).containsExactly("2");
        assertThat(count("")).isEqualTo(1);
    }

    @Test
    void moreEventsThanAListHoldsAreCompleted() throws Exception {
        register(MAILER, TYPE);
        append(IntStream.range(0, 700).mapToObj(i -> event(KEY, TYPE, "1")).toArray(NewEvent[]::new));
        List<Long> ids = store.ids(OutboxQuery.all(), false);
        assertThat(ids).hasSize(OutboxStore.MANY);

        store.complete(MAILER, IntStream.range(0, 700)
                .mapToObj(i -> new StoredEvent(ids.getFirst() + i, KeyIds.of(KEY), KEY, TYPE, "1", Instant.EPOCH))
                .toList());

        assertThat(count("") + count("_DELIVERIES")).isZero();
    }

    @Test
    void readUncommittedIsRefused() {
        assumeTrue(kind.isMySql() || kind == Databases.H2_IN_MEMORY, "the others have no such level");
        pool.setTransactionIsolation("TRANSACTION_READ_UNCOMMITTED");

        assertThatThrownBy(() -> register(MAILER, TYPE)).hasMessageContaining("READ UNCOMMITTED");
        assertThatThrownBy(() -> store.purge()).hasMessageContaining("READ UNCOMMITTED");
    }

    @Test
    void anOpenTransactionDisturbsNobody() throws Exception {
        register(MAILER, TYPE);
        append(KEY, "1");
        List<StoredEvent> first = read(MAILER, shared(KEY));
        try (Connection open = pool.getConnection(); Connection other = pool.getConnection()) {
            open.setAutoCommit(false);
            other.setAutoCommit(false);
            store.append(open, List.of(event(KEY, TYPE, "2")));

            store.append(other, List.of(event(KEY, TYPE, "3"), event(KEY, TYPE, "4")));
            store.take(MAILER, shared(KEY), ME, LEASE);
            assertThat(store.open(MAILER, shared(KEY), ME, first, failed(first.getFirst().id(), 1, OVER))).isTrue();
            store.takeKey(MAILER, KeyIds.of(KEY), ME, LEASE);
            store.complete(MAILER, first);
            store.leave(MAILER, KeyIds.of(KEY), ME, 0);
            register(BILLING, TYPE);
            store.discard(List.of(first.getFirst().id()), Optional.empty());
            store.purge();
            other.rollback();
            open.commit();
            open.setAutoCommit(true);
            other.setAutoCommit(true);
        }

        assertThat(payloads(MAILER, shared(KEY))).containsExactly("2");
    }

    /** However few events there are: a small table must not be read, and so be locked, as a whole. */
    @Test
    void nothingWaitsForAnAppendThatIsNotCommitted() throws Exception {
        register(MAILER, TYPE);
        register(BILLING, TYPE);
        for (int size : List.of(2, 5, 10, 60)) {
            append(IntStream.range(0, size).mapToObj(i -> event(KEY, TYPE, "1")).toArray(NewEvent[]::new));
            List<StoredEvent> events = read(MAILER, shared(KEY));
            try (Connection open = pool.getConnection()) {
                open.setAutoCommit(false);
                store.append(open, List.of(event(KEY, TYPE, "late")));

                store.complete(MAILER, events.subList(0, size / 2));
                store.complete(BILLING, events.subList(0, size / 2));
                store.discard(store.ids(OutboxQuery.all(), false), Optional.of(MAILER));
                store.discard(store.ids(OutboxQuery.all(), false), Optional.empty());
                store.purge();
                open.rollback();
                open.setAutoCommit(true);
            }
        }

        assertThat(count("") + count("_DELIVERIES")).isZero();
    }

    @Test
    void anEventWithoutDeliveriesIsPurged() throws Exception {
        register(MAILER, TYPE);
        append(IntStream.range(0, 600).mapToObj(i -> event(KEY, TYPE, "1")).toArray(NewEvent[]::new));
        database.execute("DELETE FROM RESERVATION_OUTBOX_DELIVERIES WHERE MOD(event_id, 2) = 0");

        assertThat(store.purge()).as("more").isTrue();
        assertThat(store.purge()).as("more").isFalse();

        assertThat(count("")).isEqualTo(300);
        assertThat(count("_DELIVERIES")).isEqualTo(300);
    }
}
