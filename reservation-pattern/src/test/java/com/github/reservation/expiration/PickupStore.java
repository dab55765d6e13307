// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.LongStream;

/** The tables of the ADR on a database: orders that hold stock, and the stock. Each order of a test holds two pieces. */
final class PickupStore implements AutoCloseable {

    static final int PIECES = 2;
    static final int ITEMS = 20;

    private static final Duration LONG_AGO = Duration.ofHours(1);

    private final TestDatabase database;
    private final Dialect dialect;
    private final HikariDataSource pool;

    PickupStore(TestDatabase database) {
        this.database = database;
        this.dialect = Dialects.all().stream()
                .filter(one -> one.name().equals(database.kind().ddl()))
                .findFirst()
                .orElseThrow();
        this.pool = database.pool(8);
    }

    /** Makes the tables anew, with no orders and no stock. */
    PickupStore install() {
        String time = database.kind().isMySql() ? "DATETIME(6)" : "TIMESTAMP(6)";
        String id = database.kind().ddl().equals("oracle") ? "NUMBER(19)" : "BIGINT";
        database.execute("""
                DROP TABLE IF EXISTS pickup_orders;
                DROP TABLE IF EXISTS stock;
                CREATE TABLE pickup_orders (
                    order_id        %1$s        NOT NULL PRIMARY KEY,
                    order_type      VARCHAR(20) NOT NULL,
                    status          VARCHAR(20) NOT NULL,
                    store_id        VARCHAR(20) NOT NULL,
                    user_id         VARCHAR(36) NOT NULL,
                    item_id         %1$s        NOT NULL,
                    quantity        INT         NOT NULL,
                    hold_expires_at %2$s        NOT NULL,
                    version         %1$s        NOT NULL
                );
                CREATE INDEX ix_pickup_orders_due ON pickup_orders (order_type, status, hold_expires_at, order_id);
                CREATE TABLE stock (item_id %1$s NOT NULL PRIMARY KEY, available INT NOT NULL);
                """.formatted(id, time));
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO stock VALUES (?, 0)")) {
            for (int item = 0; item < ITEMS; item++) {
                insert.setInt(1, item);
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return this;
    }

    TestDatabase database() {
        return database;
    }

    HikariDataSource dataSource() {
        return pool;
    }

    /** Puts in orders that have been overdue for long, the one with the least number for longest. */
    PickupStore hold(long... orders) {
        return hold("RESERVE_PICKUP", "RESERVED", LONG_AGO, orders);
    }

    /** Puts in the orders from 1 to {@code last}. */
    PickupStore holdUpTo(int last) {
        return hold(LongStream.rangeClosed(1, last).toArray());
    }

    /** Puts in orders whose hold ended so long ago, or will end if the duration is negative. */
    PickupStore hold(String type, String status, Duration overdueFor, long... orders) {
        String sql = "INSERT INTO pickup_orders (order_id, order_type, status, store_id, user_id, item_id, quantity,"
                + " hold_expires_at, version) VALUES (?, ?, ?, 'store-1', ?, ?, ?, " + dialect.nowMinus("?") + ", 1)";
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement(sql)) {
            connection.setAutoCommit(false);
            for (long order : orders) {
                insert.setLong(1, order);
                insert.setString(2, type);
                insert.setString(3, status);
                insert.setString(4, "user-" + order);
                insert.setLong(5, order % ITEMS);
                insert.setInt(6, PIECES);
                insert.setLong(7, overdueFor.toNanos() / 1_000 - order);
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return this;
    }

    /** Returns a builder of a source for the orders, without work. */
    TableExpirationSourceBuilder<PickupOrder> source() {
        return TableExpirationSource.builder("pickup-orders", PickupOrder::read)
                .dataSource(pool)
                .table("pickup_orders")
                .key("order_id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("hold_expires_at")
                .where("order_type = 'RESERVE_PICKUP'")
                .version("version");
    }

    /** Runs a source once, in a job of its own. */
    static SourceRun run(ExpirationSource source) {
        try (ExpirationJob job = ExpirationJob.builder().source(source).build()) {
            return job.runOnce().sources().getFirst();
        }
    }

    String status(long order) {
        return query("SELECT status FROM pickup_orders WHERE order_id = " + order);
    }

    long count(String status) {
        return Long.parseLong(query("SELECT COUNT(*) FROM pickup_orders WHERE status = '" + status + "'"));
    }

    long stock() {
        return Long.parseLong(query("SELECT SUM(available) FROM stock"));
    }

    long stock(long item) {
        return Long.parseLong(query("SELECT available FROM stock WHERE item_id = " + item));
    }

    String query(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new AssertionError("Could not run " + sql, e);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
