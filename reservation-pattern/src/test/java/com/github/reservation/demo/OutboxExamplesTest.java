// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.RegisteredListener;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the page on the outbox. */
@Needs(Backend.H2)
class OutboxExamplesTest {

    private final HikariDataSource dataSource = new HikariDataSource();
    private final List<String> mails = new CopyOnWriteArrayList<>();

    // @start region="outbox codec"
    record OrderPaid(String orderId) {}

    static final class OrderCodec implements OutboxCodec {

        @Override
        public String nameOf(Class<?> type) {
            return type == OrderPaid.class ? "order-paid" : OutboxCodec.super.nameOf(type);
        }

        @Override
        public String encode(Object event) {
            return "{\"orderId\":\"" + ((OrderPaid) event).orderId() + "\"}"; // use your JSON library
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            return type.cast(new OrderPaid(json.substring(12, json.length() - 2)));
        }
    }
    // @end

    @BeforeEach
    void open() throws SQLException {
        dataSource.setJdbcUrl("jdbc:h2:mem:outbox;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
            statement.execute(Ddl.of("h2-outbox"));
            statement.execute("CREATE TABLE orders (id VARCHAR(20) NOT NULL PRIMARY KEY, status VARCHAR(20))");
            statement.execute("INSERT INTO orders VALUES ('42', 'NEW')");
        }
    }

    @AfterEach
    void close() {
        dataSource.close();
    }

    private void sendMail(String orderId) {
        mails.add(orderId);
    }

    @Test
    void anEventIsAppendedAndDelivered() throws SQLException {
        // @start region="outbox"
        Outbox outbox = Outbox.jdbc(dataSource).codec(new OrderCodec()).build();
        outbox.subscribe("mailer", OrderPaid.class, event -> sendMail(event.orderId()));
        outbox.start(); // delivers in the background, until the outbox is closed
        // @end
        try (outbox) {
            pay(outbox, "42");
            await().until(() -> !mails.isEmpty());
        }

        assertThat(mails).containsExactly("42");
    }

    private void pay(Outbox outbox, String orderId) throws SQLException {
        // @start region="outbox append"
        try (Connection tx = dataSource.getConnection()) {
            tx.setAutoCommit(false);
            try (PreparedStatement update = tx.prepareStatement("UPDATE orders SET status = 'PAID' WHERE id = ?")) {
                update.setString(1, orderId);
                update.executeUpdate(); // change the row first: its lock gives the events of the order their order
            }
            outbox.append(tx, "order-" + orderId, new OrderPaid(orderId));
            tx.commit();
        }
        // @end
    }

    @Test
    void aListenerRecognisesWhatItHasSeen() throws SQLException {
        Outbox outbox = Outbox.jdbc(dataSource).codec(new OrderCodec()).build();
        Set<Long> seen = new HashSet<>();
        // @start region="outbox delivery"
        outbox.subscribe("mailer", OrderPaid.class, (OrderPaid event, Delivery delivery) -> {
            if (seen.add(delivery.id())) { // in production: INSERT the id, in the transaction of the listener's work
                sendMail(event.orderId());
            }
        });
        // @end
        pay(outbox, "42");

        assertThat(outbox.deliverNow()).isEqualTo(1);
        assertThat(mails).containsExactly("42");
    }

    @Test
    void whatIsParkedIsRetried() throws SQLException {
        Outbox outbox = Outbox.jdbc(dataSource).codec(new OrderCodec()).retryFor(Duration.ZERO).build();
        outbox.subscribe("mailer", OrderPaid.class, event -> {
            if (mails.isEmpty()) {
                sendMail("failed");
                throw new IllegalStateException("The mail server is down");
            }
        });
        pay(outbox, "42");
        outbox.deliverNow();
        // @start region="outbox parked"
        for (OutboxEntry entry : outbox.list(OutboxQuery.parked())) {
            System.out.println(entry.id() + " " + entry.key() + " " + entry.failures());
            outbox.retry(entry.id()); // or outbox.discard(entry.id())
        }
        outbox.retryAll(OutboxQuery.parked().ofListener("mailer")); // or outbox.discardAll(…)
        // @end

        assertThat(outbox.deliverNow()).isEqualTo(1);
    }

    @Test
    void theListenersShowWhatWaitsForThem() throws SQLException {
        Outbox outbox = Outbox.jdbc(dataSource).codec(new OrderCodec()).build();
        outbox.subscribe("mailer", OrderPaid.class, event -> sendMail(event.orderId()));
        pay(outbox, "42");
        // @start region="outbox listeners"
        for (RegisteredListener listener : outbox.listeners()) {
            System.out.println(
                    listener.id() + " last seen " + listener.lastSeen() + ": " + listener.pending() + " pending, "
                            + listener.parked() + " parked, the oldest for " + listener.oldest());
        }
        // @end

        assertThat(outbox.listeners()).singleElement().extracting(RegisteredListener::pending).isEqualTo(1L);
    }

    @Test
    void rowsThatExpireAppendTheirEvents() {
        Outbox outbox = Outbox.jdbc(dataSource).codec(new OrderCodec()).build();
        TableExpirationSource<PickupOrder> orders = TableExpirationSource.builder("pickup-orders", PickupOrder::read)
                .dataSource(dataSource)
                .table("pickup_orders")
                .key("order_id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("hold_expires_at")
                // @start region="outbox expiration"
                .publish(outbox, order -> "order-" + order.orderId(),
                        (order, expiredAt) -> new PickupOrders.ReservationExpired(
                                String.valueOf(order.orderId()), order.storeId(), order.userId(), expiredAt))
                // @end
                .build();

        assertThat(orders.name()).isEqualTo("pickup-orders");
    }
}
