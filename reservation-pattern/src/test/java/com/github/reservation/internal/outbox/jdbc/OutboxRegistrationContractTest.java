// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.expiration.EachConnection;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.outbox.OutboxStore.Wanted;
import com.github.reservation.outbox.OutboxStart;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store of an outbox does if a listener is registered, not seen for long, or forgotten. */
class OutboxRegistrationContractTest extends OnOutboxStore {

    @Test
    void onlyWhatIsAbsentIsForgottenAsAbsent() throws Exception {
        register(MAILER, TYPE);

        assertThat(store.unregister(MAILER, Optional.of(TYPE), Optional.of(Duration.ofHours(1)))).isFalse();
        shift("_LISTENERS", "seen_at", Duration.ofHours(-2));

        assertThat(store.unregister(MAILER, Optional.of(TYPE), Optional.of(Duration.ofHours(1)))).isTrue();
    }

    @Test
    void knownTypesAreNotReturned() throws Exception {
        assertThat(register(MAILER, TYPE, "refund")).containsExactlyInAnyOrder(TYPE, "refund");
        assertThat(register(MAILER, TYPE)).isEmpty();
        assertThat(register(MAILER, TYPE, "void")).containsExactly("void");

        append(event(KEY, "refund", "1"));
        assertThat(payloads(MAILER, shared(KEY))).as("also an old type").containsExactly("1");
        assertThat(count("_LANES")).isEqualTo(OutboxStore.LANES);
    }

    @Test
    void aNewListenerBeginsWithNewOrWithKeptEvents() throws Exception {
        register(MAILER, TYPE, "refund");
        append(IntStream.range(0, 2_400)
                .mapToObj(i -> event("k" + i % 7, i % 2 == 0 ? TYPE : "refund", "1"))
                .toArray(NewEvent[]::new));
        append(event(KEY, TYPE, "1", "keeper"));

        register(BILLING, TYPE);
        store.register(new Listener("keeper", List.of(TYPE), OutboxStart.KEPT_EVENTS));

        assertThat(deliveriesOf(BILLING)).isZero();
        assertThat(deliveriesOf("keeper")).isEqualTo(1_201);
        assertThat(read("keeper", shared("k2")))
                .isNotEmpty()
                .allMatch(event -> event.type().equals(TYPE) && shared(event.key()) == shared("k2"));
        store.register(new Listener("keeper", List.of(TYPE), OutboxStart.KEPT_EVENTS));
        assertThat(deliveriesOf("keeper")).isEqualTo(1_201);
    }

    /** Each time it is done, it looks again. */
    @Test
    void norMissesOneThatIsAppendedWhileManyKeptEventsAreFound() throws Exception {
        register(MAILER, TYPE);
        append(IntStream.range(0, 10).mapToObj(i -> event(KEY, TYPE, "1")).toArray(NewEvent[]::new));
        AtomicBoolean found = new AtomicBoolean();
        JdbcOutbox disturbed = storeOn(EachConnection.of(
                pool, connection -> EachConnection.proxy(Connection.class, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && arguments[0].toString().startsWith("INSERT INTO RESERVATION_OUTBOX_DELIVERIES")
                            && found.compareAndSet(false, true)) {
                        append(event(KEY, TYPE, "2"));
                    }
                    return EachConnection.call(method, connection, arguments);
                })), Duration.ofSeconds(10));

        disturbed.register(new Listener("keeper", List.of(TYPE), OutboxStart.KEPT_EVENTS));

        assertThat(found).isTrue();
        assertThat(deliveriesOf("keeper")).isEqualTo(11);
    }

    private long deliveriesOf(String listener) {
        return Long.parseLong(database.query(
                "SELECT COUNT(*) FROM RESERVATION_OUTBOX_DELIVERIES WHERE listener_id = '" + listener + "'"));
    }

    @Test
    void whatNobodyRegistersIsAbsent() throws Exception {
        register(MAILER, TYPE, "refund");
        shift("_LISTENERS", "seen_at", Duration.ofHours(-2));

        register(MAILER, TYPE);

        assertThat(store.absent(Duration.ofHours(1))).containsExactly(new Wanted(MAILER, "refund"));
        assertThat(store.absent(Duration.ofHours(3))).isEmpty();
    }

    @Test
    void aClockThatWasSetBackKeepsNoListenerSeen() throws Exception {
        register(MAILER, TYPE);
        shift("_LISTENERS", "seen_at", Duration.ofHours(2));

        register(MAILER, TYPE);
        shift("_LISTENERS", "seen_at", Duration.ofHours(-2));

        assertThat(store.absent(Duration.ofHours(1))).hasSize(1);
    }

    @Test
    void aTypeOrAListenerIsForgotten() throws Exception {
        register(MAILER, TYPE, "refund");
        register(BILLING, TYPE);
        append(KEY, "1");
        open(KEY, parked(1, 1));

        assertThat(store.unregister(MAILER, Optional.of(TYPE), Optional.empty())).isTrue();
        assertThat(store.unregister(MAILER, Optional.of(TYPE), Optional.empty())).isFalse();
        assertThat(append(event(KEY, "refund", "1"))).isEmpty();
        assertThat(store.unregister(MAILER, Optional.empty(), Optional.empty())).isTrue();
        assertThat(store.unregister(MAILER, Optional.empty(), Optional.empty())).isFalse();

        assertThat(append(event(KEY, "refund", "1"))).containsExactly("refund");
        store.removeLanes(BILLING);
        assertThat(count("_LANES")).as("it is registered").isEqualTo(2 * OutboxStore.LANES);
        store.removeLanes(MAILER);
        assertThat(count("_LANES")).isEqualTo(OutboxStore.LANES);
        assertThat(append(event(KEY, TYPE, "1"))).isEmpty();
    }

    /** As if its instance had subscribed to another type, and not registered it yet. */
    @Test
    void theLaneOfAKeyIsKeptAsLongAsSomethingWaitsInIt() throws Exception {
        register(MAILER, TYPE);
        append(KEY, "1");
        open(KEY, parked(1, 1));
        store.unregister(MAILER, Optional.empty(), Optional.empty());

        store.removeLanes(MAILER);
        assertThat(count("_KEYS")).isOne();

        store.discard(List.of(1L), Optional.of(MAILER));
        store.removeLanes(MAILER);
        assertThat(count("_KEYS")).isZero();
    }
}
