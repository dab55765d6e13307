// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.spring.TransactionalOutbox;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Checkout {

    private final List<Long> mails = new CopyOnWriteArrayList<>();

    private final JdbcTemplate jdbc;
    private final TransactionalOutbox outbox;

    public Checkout(JdbcTemplate jdbc, TransactionalOutbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    // @start region="outbox"
    public record OrderPlaced(long orderId) {}

    @Transactional
    public void place(long orderId) {
        jdbc.update("INSERT INTO placed_orders (id) VALUES (?)", orderId);
        outbox.append("order-" + orderId, new OrderPlaced(orderId));
    }

    @EventListener
    public void confirmByMail(OrderPlaced event) {
        mails.add(event.orderId());
    }
    // @end

    public List<Long> mails() {
        return mails;
    }
}
