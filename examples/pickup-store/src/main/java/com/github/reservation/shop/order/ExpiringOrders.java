// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.Transactor;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.shop.catalog.Catalog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Expires orders that nobody has picked up. The job of the starter runs it in every instance: status, stock and event are written in one
 * transaction, and no order expires twice.
 */
@Configuration(proxyBeanMethods = false)
public class ExpiringOrders {

    /** An order that expires. */
    public record PickupOrder(long id, long storeId, long customerId) {

        private static PickupOrder read(ResultSet row) throws SQLException {
            return new PickupOrder(row.getLong("id"), row.getLong("store_id"), row.getLong("customer_id"));
        }

        private ReservationExpired expired(Instant at) {
            return new ReservationExpired(
                    String.valueOf(id), String.valueOf(storeId), String.valueOf(customerId), at);
        }
    }

    @Bean
    TableExpirationSource<PickupOrder> pickupOrders(
            Transactor transactor, Orders orders, Catalog catalog, Outbox outbox) {
        return TableExpirationSource.builder("pickup-orders", PickupOrder::read)
                .transactor(transactor)
                .table("orders")
                .key("id")
                .status("status", OrderStatus.RESERVED.name(), OrderStatus.EXPIRED.name())
                .expiresAt("hold_expires_at")
                .where("order_type = '" + Orders.TYPE + "'")
                .expireBatch((tx, batch) -> catalog.give(
                        orders.quantities(batch.rows().stream().map(PickupOrder::id).toList())))
                .publish(outbox, order -> "order-" + order.id(), PickupOrder::expired)
                .build();
    }
}
