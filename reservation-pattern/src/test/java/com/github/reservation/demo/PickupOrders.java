// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.expiration.ApplicationEvents;
import com.github.reservation.expiration.ExpirationBatch;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.TableExpirationSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** The store of the page on expiration: orders hold stock until they are picked up. */
public final class PickupOrders {

    private PickupOrders() {}

    // @start region="order"
    public record PickupOrder(long orderId, String storeId, String userId, long itemId, int quantity) {

        public static PickupOrder read(ResultSet row) throws SQLException {
            return new PickupOrder(
                    row.getLong("order_id"),
                    row.getString("store_id"),
                    row.getString("user_id"),
                    row.getLong("item_id"),
                    row.getInt("quantity"));
        }
    }

    public record ReservationExpired(String orderId, String storeId, String userId, Instant expiredAt) {}
    // @end

    public static TableExpirationSource<PickupOrder> source(DataSource dataSource, ApplicationEvents events) {
        // @start region="source"
        TableExpirationSource<PickupOrder> orders = TableExpirationSource.builder("pickup-orders", PickupOrder::read)
                .dataSource(dataSource)
                .table("pickup_orders")
                .key("order_id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("hold_expires_at")
                .where("order_type = 'RESERVE_PICKUP'")
                .expireBatch(PickupOrders::returnStock)
                .publish(events, (order, expiredAt) -> new ReservationExpired(
                        String.valueOf(order.orderId()), order.storeId(), order.userId(), expiredAt))
                .build();
        // @end
        return orders;
    }

    // @start region="stock"
    /** Adds up what goes back for each item, and updates the items in their order: so two instances cannot deadlock. */
    public static void returnStock(Connection tx, ExpirationBatch<PickupOrder> batch) throws SQLException {
        Map<Long, Integer> back = new TreeMap<>();
        batch.rows().forEach(order -> back.merge(order.itemId(), order.quantity(), Integer::sum));
        String sql = "UPDATE stock SET available = available + ? WHERE item_id = ?";
        try (PreparedStatement update = tx.prepareStatement(sql)) {
            for (Map.Entry<Long, Integer> item : back.entrySet()) {
                update.setInt(1, item.getValue());
                update.setLong(2, item.getKey());
                update.addBatch();
            }
            update.executeBatch();
        }
    }
    // @end

    public static void run(DataSource dataSource) {
        // @start region="events"
        ApplicationEvents events = ApplicationEvents.create();
        events.on(ReservationExpired.class, expired -> System.out.println("Tell " + expired.userId()));
        // @end
        TableExpirationSource<PickupOrder> orders = source(dataSource, events);
        // @start region="job"
        ExpirationJob job = ExpirationJob.builder().source(orders).build();
        job.start(); // every minute, until job.close()
        job.runOnce(); // or whenever you like
        // @end
        job.close();
    }
}
