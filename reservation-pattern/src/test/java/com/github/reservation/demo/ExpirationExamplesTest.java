// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.expiration.ExpirationBatch;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.TableExpirationSourceBuilder;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the page on expiration. */
@Needs(Backend.H2)
class ExpirationExamplesTest {

    private final HikariDataSource dataSource = new HikariDataSource();

    @BeforeEach
    void open() throws SQLException {
        dataSource.setJdbcUrl("jdbc:h2:mem:pickup;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
            statement.execute("""
                    CREATE TABLE pickup_orders (
                        order_id        BIGINT       NOT NULL PRIMARY KEY,
                        order_type      VARCHAR(20)  NOT NULL,
                        status          VARCHAR(20)  NOT NULL,
                        store_id        VARCHAR(20)  NOT NULL,
                        user_id         VARCHAR(36)  NOT NULL,
                        item_id         BIGINT       NOT NULL,
                        quantity        INT          NOT NULL,
                        hold_expires_at TIMESTAMP(6) NOT NULL
                    )""");
            statement.execute("CREATE TABLE stock (item_id BIGINT NOT NULL PRIMARY KEY, available INT NOT NULL)");
            statement.execute("INSERT INTO stock VALUES (7, 10)");
            statement.execute("""
                    INSERT INTO pickup_orders VALUES
                    (1, 'RESERVE_PICKUP', 'RESERVED', 'store-1', 'alice', 7, 2, TIMESTAMP '2020-01-01 00:00:00'),
                    (2, 'RESERVE_PICKUP', 'RESERVED', 'store-1', 'bob', 7, -3, TIMESTAMP '2020-01-01 00:00:00')""");
        }
    }

    @AfterEach
    void close() {
        dataSource.close();
    }

    @Test
    void theJobReturnsTheStock() throws SQLException {
        PickupOrders.run(dataSource);

        assertThat(query("SELECT COUNT(*) FROM pickup_orders WHERE status = 'EXPIRED'")).isEqualTo(2);
        assertThat(query("SELECT available FROM stock")).isEqualTo(9);
    }

    @Test
    void aRowCanBeRejected() throws Exception {
        TableExpirationSource<PickupOrder> orders = source()
                // @start region="reject"
                .expireBatch((tx, batch) -> {
                    for (PickupOrder order : batch.rows()) {
                        if (order.quantity() <= 0) {
                            batch.reject(order,
                                    new IllegalStateException("Order " + order.orderId() + " holds nothing"));
                        }
                    }
                    returnStock(tx, batch);
                })
                // @end
                .build();

        assertExpiresOnlyTheFirst(orders);
    }

    @Test
    void theWorkCanBeForOneRow() throws Exception {
        TableExpirationSource<PickupOrder> orders = source()
                // @start region="row"
                .expireRow((tx, order) -> {
                    if (order.quantity() <= 0) {
                        throw new IllegalStateException("Order " + order.orderId() + " holds nothing");
                    }
                    String sql = "UPDATE stock SET available = available + ? WHERE item_id = ?";
                    try (PreparedStatement update = tx.prepareStatement(sql)) {
                        update.setInt(1, order.quantity());
                        update.setLong(2, order.itemId());
                        update.executeUpdate();
                    }
                })
                // @end
                .build();

        assertExpiresOnlyTheFirst(orders);
    }

    private void assertExpiresOnlyTheFirst(TableExpirationSource<PickupOrder> orders) throws Exception {
        try (ExpirationJob job = ExpirationJob.builder().source(orders).build()) {
            job.runOnce();
        }

        assertThat(orders.findOverdue(10)).extracting(PickupOrder::orderId).containsExactly(2L);
        assertThat(query("SELECT available FROM stock")).isEqualTo(12);
    }

    private TableExpirationSourceBuilder<PickupOrder> source() {
        return TableExpirationSource.builder("pickup-orders", PickupOrder::read)
                .dataSource(dataSource)
                .table("pickup_orders")
                .key("order_id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("hold_expires_at");
    }

    private static void returnStock(Connection tx, ExpirationBatch<PickupOrder> batch) throws SQLException {
        try (PreparedStatement update = tx.prepareStatement("UPDATE stock SET available = available + ?")) {
            update.setInt(1, batch.rows().stream().mapToInt(PickupOrder::quantity).sum());
            update.executeUpdate();
        }
    }

    private int query(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }
}
