// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What transactions do with orders and stock: first the orders, then the stock of their items in a fixed order, so that none deadlock. */
final class OrderStatements {

    private final Connection connection;
    private final Dialect dialect;

    OrderStatements(Connection connection) throws SQLException {
        this.connection = connection;
        try {
            this.dialect = Dialects.of(connection);
        } catch (StoreException e) {
            throw new SQLException(e);
        }
    }

    /** Puts in orders that end the given time from now, by the clock of the database. */
    void insert(Collection<Order> orders, Duration ttl) throws SQLException {
        String end = dialect.nowPlus(String.valueOf(ttl.toNanos() / 1_000));
        String sql = "INSERT INTO torture_orders (id, item, quantity, status, expires_at, version) VALUES "
                + String.join(", ", Collections.nCopies(orders.size(), "(?, ?, ?, 'RESERVED', " + end + ", 1)"));
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            int parameter = 0;
            for (Order order : orders) {
                insert.setLong(++parameter, order.id());
                insert.setLong(++parameter, order.item());
                insert.setInt(++parameter, order.quantity());
            }
            insert.executeUpdate();
        }
    }

    /** Takes stock for orders; returns whether there was enough. */
    boolean take(Collection<Order> orders) throws SQLException {
        try (PreparedStatement take = connection.prepareStatement(
                "UPDATE torture_stock SET available = available - ? WHERE item = ? AND available >= ?")) {
            for (Map.Entry<Long, Integer> pieces : pieces(orders).entrySet()) {
                take.setInt(1, pieces.getValue());
                take.setLong(2, pieces.getKey());
                take.setInt(3, pieces.getValue());
                if (take.executeUpdate() == 0) {
                    return false;
                }
            }
        }
        return true;
    }

    void giveBack(Collection<Order> orders) throws SQLException {
        try (PreparedStatement giveBack = connection.prepareStatement(
                "UPDATE torture_stock SET available = available + ? WHERE item = ?")) {
            for (Map.Entry<Long, Integer> pieces : pieces(orders).entrySet()) {
                giveBack.setInt(1, pieces.getValue());
                giveBack.setLong(2, pieces.getKey());
                giveBack.executeUpdate();
            }
        }
    }

    private static Map<Long, Integer> pieces(Collection<Order> orders) {
        return orders.stream()
                .collect(Collectors.toMap(Order::item, Order::quantity, Integer::sum, TreeMap::new));
    }

    /** Locks those orders that still hold their stock in time. */
    List<Order> lock(Collection<Order> orders) throws SQLException {
        String sql = "SELECT id, item, quantity FROM torture_orders WHERE id IN (" + marks(orders)
                + ") AND status = 'RESERVED' AND expires_at > " + dialect.now() + " ORDER BY id FOR UPDATE";
        try (PreparedStatement lock = connection.prepareStatement(sql)) {
            setIds(lock, orders);
            List<Order> locked = new ArrayList<>();
            try (ResultSet rows = lock.executeQuery()) {
                while (rows.next()) {
                    locked.add(Order.read(rows));
                }
            }
            return locked;
        }
    }

    /** Gives orders that are locked another status, and notes that. */
    void change(Collection<Order> orders, String status) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE torture_orders SET status = '" + status
                + "', version = version + 1 WHERE id IN (" + marks(orders) + ")")) {
            setIds(update, orders);
            update.executeUpdate();
        }
        note(orders, status);
    }

    /** Notes what became of orders. */
    void note(Collection<Order> orders, String status) throws SQLException {
        String sql = "INSERT INTO torture_moves (order_id, move, moved_at) VALUES " + String.join(
                ", ", Collections.nCopies(orders.size(), "(?, '" + status + "', " + dialect.now() + ")"));
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            setIds(insert, orders);
            insert.executeUpdate();
        }
    }

    private static String marks(Collection<Order> orders) {
        return String.join(", ", Collections.nCopies(orders.size(), "?"));
    }

    private static void setIds(PreparedStatement statement, Collection<Order> orders) throws SQLException {
        int parameter = 0;
        for (Order order : orders) {
            statement.setLong(++parameter, order.id());
        }
    }
}
