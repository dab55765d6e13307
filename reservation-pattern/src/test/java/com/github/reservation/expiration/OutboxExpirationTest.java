// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.OutboxTables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows whose events go through an outbox, on every database. */
@SideBySide
class OutboxExpirationTest extends OnPickupStore {

    /** The number of an order that expired, which its codec writes as it is. */
    record OrderExpired(long order) {

        static final OutboxCodec CODEC = new OutboxCodec() {

            @Override
            public String encode(Object event) {
                long order = ((OrderExpired) event).order();
                if (order == 13) {
                    throw new IllegalStateException("unlucky");
                }
                return String.valueOf(order);
            }

            @Override
            public <E> E decode(String json, Class<E> type) {
                return type.cast(new OrderExpired(Long.parseLong(json)));
            }
        };
    }

    private final List<String> arrived = new ArrayList<>();
    private Outbox outbox;

    @BeforeEach
    void installOutbox() {
        OutboxTables.install(store.database());
        outbox = Outbox.jdbc(store.dataSource()).codec(OrderExpired.CODEC).build();
        outbox.subscribe("mailer", OrderExpired.class,
                (OrderExpired event, Delivery delivery) -> arrived.add(delivery.key() + '=' + event.order()));
    }

    private TableExpirationSourceBuilder<PickupOrders.PickupOrder> publishing() {
        return store.source()
                .publish(outbox, order -> "order-" + order.orderId(), (order, at) -> new OrderExpired(order.orderId()));
    }

    @Test
    void eachRowThatExpiresHasItsEvent() {
        store.holdUpTo(12);
        SourceRun run = PickupStore.run(publishing().expireBatch(PickupOrders::returnStock).build());

        assertThat(run.processedCount()).isEqualTo(12);
        assertThat(outbox.deliverNow()).isEqualTo(12);
        assertThat(arrived).hasSize(12).contains("order-7=7");
        assertThat(store.stock()).isEqualTo(12L * PickupStore.PIECES);
    }

    @Test
    void aRowThatFailsLeavesNoEvent_andTheOthersHaveTheirs() {
        store.holdUpTo(4);

        SourceRun run = PickupStore.run(publishing().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            if (batch.rows().stream().anyMatch(order -> order.orderId() == 3)) {
                throw new IllegalStateException("poison");
            }
        }).build());

        assertThat(run.processedCount()).isEqualTo(3);
        assertThat(run.failedCount()).isEqualTo(1);
        assertThat(outbox.list(OutboxQuery.all()))
                .extracting(entry -> entry.key())
                .containsExactlyInAnyOrder("order-1", "order-2", "order-4");
    }

    @Test
    void aRowWhoseEventCannotBeWrittenDoesNotExpire() {
        store.hold(12, 13, 14);

        SourceRun run = PickupStore.run(publishing().build());

        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(run.failedRows()).singleElement().satisfies(failed -> assertThat(failed.row()).isEqualTo("13"));
        assertThat(store.status(13)).isEqualTo("RESERVED");
        assertThat(outbox.backlog().pending()).isEqualTo(2);
    }

    @Test
    void aMissingTableEndsTheRun_andNoRowExpires() {
        store.holdUpTo(3);
        store.database().execute("DROP TABLE RESERVATION_OUTBOX");

        SourceRun run = PickupStore.run(publishing().build());

        assertThat(run.failure()).hasValueSatisfying(
                failure -> assertThat(failure).hasMessageContaining("ddl " + kind.ddl() + "-outbox"));
        assertThat(store.count("RESERVED")).isEqualTo(3);
    }
}
