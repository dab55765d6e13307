// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.shop.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An order as its page shows it. */
public record OrderView(
        long id,
        String store,
        String status,
        String label,
        Instant createdAt,
        Instant holdExpiresAt,
        long holdSeconds,
        long remainingSeconds,
        List<LineView> lines,
        String total) {

    /** A line of the order. */
    public record LineView(String product, int quantity, String price) {}

    static OrderView of(Order order, Instant now) {
        long total = order.lines().stream().mapToLong(line -> (long) line.quantity() * line.priceCents()).sum();
        return new OrderView(
                order.id(),
                order.store(),
                order.status().name(),
                order.status().label(),
                order.createdAt(),
                order.holdExpiresAt(),
                Math.max(1, Duration.between(order.createdAt(), order.holdExpiresAt()).toSeconds()),
                Texts.secondsLeft(Duration.between(now, order.holdExpiresAt())),
                order.lines().stream().map(OrderView::line).toList(),
                Texts.euros(total));
    }

    private static LineView line(OrderLine line) {
        return new LineView(
                line.product(), line.quantity(), Texts.euros((long) line.quantity() * line.priceCents()));
    }

    /** Returns whether the order is held. */
    public boolean reserved() {
        return status.equals(OrderStatus.RESERVED.name());
    }
}
