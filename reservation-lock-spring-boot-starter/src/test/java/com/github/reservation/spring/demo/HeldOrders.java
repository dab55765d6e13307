// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.expiration.ApplicationEvents;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.Transactor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;

@Configuration(proxyBeanMethods = false)
public class HeldOrders {

    final List<Long> expired = new CopyOnWriteArrayList<>();

    // @start region="expiration"
    public record HoldExpired(long orderId) {}

    @Bean
    ExpirationSource heldOrders(Transactor transactor, ApplicationEvents events, JdbcTemplate jdbc) {
        return TableExpirationSource.builder("held-orders", row -> row.getLong("id"))
                .transactor(transactor)
                .table("held_orders")
                .key("id")
                .status("status", "HELD", "EXPIRED")
                .expiresAt("hold_ends_at")
                .expireBatch((tx, batch) -> jdbc.update("UPDATE stock SET free = free + ?", batch.rows().size()))
                .publish(events, (orderId, expiredAt) -> new HoldExpired(orderId))
                .build();
    }

    @EventListener
    public void tellTheCustomer(HoldExpired event) {
        expired.add(event.orderId());
    }
    // @end
}
