// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.shop.DatabaseClock;
import com.github.reservation.shop.Rows;
import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.catalog.Catalog;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Reserves, completes and cancels orders. Each change is one transaction. It changes the status only if the order is still RESERVED, so
 * of two changes at once, one of them the job's, exactly one succeeds and returns the stock.
 *
 * <p>All transactions lock in the same order as the job: first the order, then the stock by ascending id. A new order locks the
 * stock first, which is the same, because no one else knows the order yet.
 */
@Service
public class Orders {

    static final String TYPE = "RESERVE_PICKUP";

    private final JdbcClient jdbc;
    private final Catalog catalog;
    private final DatabaseClock clock;

    Orders(JdbcClient jdbc, Catalog catalog, DatabaseClock clock) {
        this.jdbc = jdbc;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** Takes the stock and holds it for the customer; if one product has too few units, nothing is taken. */
    @Transactional
    Order reserve(long customerId, NewOrder wanted) {
        catalog.store(wanted.storeId());
        wanted.quantities().keySet().forEach(productId -> requireProduct(wanted.storeId(), productId));
        catalog.take(wanted.quantities());
        Instant now = clock.now();
        long id = insert(customerId, wanted, now);
        wanted.quantities().forEach((productId, quantity) -> jdbc.sql("""
                INSERT INTO order_lines (order_id, product_id, quantity, price_cents)
                SELECT ?, id, ?, price_cents FROM products WHERE id = ?
                """).params(id, quantity, productId).update());
        return find(customerId, id);
    }

    private void requireProduct(long storeId, long productId) {
        if (catalog.findProduct(productId).filter(product -> product.storeId() == storeId).isEmpty()) {
            throw ShopProblem.notFound("Store " + storeId + " has no product " + productId + ".");
        }
    }

    private long insert(long customerId, NewOrder wanted, Instant now) {
        KeyHolder key = new GeneratedKeyHolder();
        jdbc.sql("""
                INSERT INTO orders (order_type, status, store_id, customer_id, created_at, hold_expires_at)
                VALUES (:type, 'RESERVED', :storeId, :customerId, :createdAt, :holdExpiresAt)
                """)
                .param("type", TYPE)
                .param("storeId", wanted.storeId())
                .param("customerId", customerId)
                .param("createdAt", DatabaseClock.column(now))
                .param("holdExpiresAt", DatabaseClock.column(now.plus(wanted.hold())))
                .update(key, "id");
        return Rows.id(key);
    }

    /** Completes an order whose hold has not ended: the customer has picked it up. */
    @Transactional
    void complete(long customerId, long orderId) {
        int changed = jdbc.sql("""
                UPDATE orders
                SET status = 'COMPLETED'
                WHERE id = ?
                AND customer_id = ?
                AND status = 'RESERVED'
                AND hold_expires_at > ?
                """).params(orderId, customerId, DatabaseClock.column(clock.now())).update();
        if (changed == 0) {
            throw refusal(find(customerId, orderId), "picked up");
        }
    }

    /** Cancels an order that is still held, and returns its units to the stock at once. */
    @Transactional
    void cancel(long customerId, long orderId) {
        int changed = jdbc.sql("""
                UPDATE orders
                SET status = 'CANCELLED'
                WHERE id = ?
                AND customer_id = ?
                AND status = 'RESERVED'
                """).params(orderId, customerId).update();
        if (changed == 0) {
            throw refusal(find(customerId, orderId), "cancelled");
        }
        catalog.give(quantities(List.of(orderId)));
    }

    private static ShopProblem refusal(Order order, String wish) {
        String state = order.status() == OrderStatus.RESERVED
                ? "its hold has ended"
                : "it is " + order.status().name().toLowerCase(Locale.ROOT) + " already";
        return ShopProblem.conflict(
                "Too late", "Order " + order.id() + " cannot be " + wish + ": " + state + ".");
    }

    /** Returns the units of these orders by product. */
    SortedMap<Long, Integer> quantities(Collection<Long> orderIds) {
        SortedMap<Long, Integer> quantities = new TreeMap<>();
        jdbc.sql("SELECT product_id, quantity FROM order_lines WHERE order_id IN (:ids)").param("ids", orderIds)
                .query(row -> {
                    quantities.merge(row.getLong("product_id"), row.getInt("quantity"), Integer::sum);
                });
        return quantities;
    }

    /** Returns an order of the customer. That of another customer is refused like one that does not exist. */
    Order find(long customerId, long orderId) {
        return orders("o.customer_id = ? AND o.id = ?", List.of(customerId, orderId)).stream().findFirst()
                .orElseThrow(() -> ShopProblem.notFound("You have no order " + orderId + "."));
    }

    /** Returns the last orders of the customer, the newest first. */
    List<Order> list(long customerId) {
        return orders("o.customer_id = ?", List.of(customerId));
    }

    private record Head(
            long id,
            long storeId,
            String store,
            OrderStatus status,
            LocalDateTime createdAt,
            LocalDateTime holdExpiresAt) {}

    private List<Order> orders(String condition, List<Long> parameters) {
        List<Head> heads = Rows.of(jdbc.sql("""
                SELECT o.id, o.store_id, s.name AS store, o.status, o.created_at, o.hold_expires_at
                FROM orders o
                JOIN stores s ON s.id = o.store_id
                WHERE %s
                ORDER BY o.id DESC
                LIMIT 50
                """.formatted(condition)).params(parameters).query(Head.class));
        if (heads.isEmpty()) {
            return List.of();
        }
        Map<Long, List<OrderLine>> lines = Rows.of(jdbc.sql("""
                SELECT l.order_id, l.product_id, p.name AS product, l.quantity, l.price_cents
                FROM order_lines l
                JOIN products p ON p.id = l.product_id
                WHERE l.order_id IN (:ids)
                ORDER BY l.product_id
                """).param("ids", heads.stream().map(Head::id).toList()).query(OrderLine.class)).stream()
                .collect(Collectors.groupingBy(OrderLine::orderId));
        return heads.stream().map(head -> order(head, lines.getOrDefault(head.id(), List.of()))).toList();
    }

    private static Order order(Head head, List<OrderLine> lines) {
        return new Order(
                head.id(),
                head.storeId(),
                head.store(),
                head.status(),
                DatabaseClock.instant(head.createdAt()),
                DatabaseClock.instant(head.holdExpiresAt()),
                lines);
    }
}
