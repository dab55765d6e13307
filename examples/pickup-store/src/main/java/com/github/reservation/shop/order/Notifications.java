// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.shop.DatabaseClock;
import com.github.reservation.shop.Rows;
import java.time.LocalDateTime;
import java.util.List;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The notifications of customers. */
@Service
public class Notifications {

    private final JdbcClient jdbc;
    private final DatabaseClock clock;

    Notifications(JdbcClient jdbc, DatabaseClock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * Tells the customer that the hold has ended. The outbox calls it after the commit, also if the process died in between. If the same
     * event comes again, nothing happens.
     */
    @EventListener
    void on(ReservationExpired event) {
        long orderId = Long.parseLong(event.orderId());
        String message = "Nobody picked up order %d in time. Its items are back on sale.".formatted(orderId);
        try {
            jdbc.sql("""
                    INSERT INTO notifications (order_id, customer_id, message, created_at, seen)
                    VALUES (?, ?, ?, ?, FALSE)
                    """).params(orderId, Long.parseLong(event.userId()), message, DatabaseClock.column(clock.now()))
                    .update();
        } catch (DuplicateKeyException e) {
            // The customer knows: an earlier delivery was written, and the process died before that was recorded.
        }
    }

    private record Row(long id, String message, LocalDateTime createdAt, boolean seen) {}

    /** Returns the last notifications of the customer, the newest first. */
    List<Notification> list(long customerId) {
        return Rows.of(jdbc.sql("""
                SELECT id, message, created_at, seen
                FROM notifications
                WHERE customer_id = ?
                ORDER BY id DESC
                LIMIT 20
                """).param(customerId).query(Row.class)).stream()
                .map(row -> new Notification(
                        row.id(), row.message(), DatabaseClock.instant(row.createdAt()), !row.seen()))
                .toList();
    }

    /** Returns how many notifications the customer has not seen. */
    public long unread(long customerId) {
        return jdbc.sql("SELECT COUNT(*) FROM notifications WHERE customer_id = ? AND seen = FALSE").param(customerId)
                .query(Long.class).single();
    }

    /** Marks all notifications of the customer as seen. */
    void markSeen(long customerId) {
        jdbc.sql("UPDATE notifications SET seen = TRUE WHERE customer_id = ? AND seen = FALSE").param(customerId)
                .update();
    }
}
