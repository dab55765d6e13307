// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.jdbc.server.Database;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Overdue orders on PostgreSQL, with ways to expire them: the library's, and statements that somebody wrote by hand for exactly this. */
public final class Sweep implements AutoCloseable {

    static final int BATCH = 500;

    private static final String DDL = """
            CREATE TABLE pickup_orders (
                order_id        BIGINT       NOT NULL PRIMARY KEY,
                order_type      VARCHAR(20)  NOT NULL,
                status          VARCHAR(20)  NOT NULL,
                store_id        VARCHAR(20)  NOT NULL,
                user_id         VARCHAR(36)  NOT NULL,
                item_id         BIGINT       NOT NULL,
                quantity        INT          NOT NULL,
                hold_expires_at TIMESTAMP(6) NOT NULL,
                version         BIGINT       NOT NULL
            );
            CREATE INDEX ix_pickup_orders_due ON pickup_orders (order_type, status, hold_expires_at);
            CREATE TABLE stock (item_id BIGINT NOT NULL PRIMARY KEY, available INT NOT NULL CHECK (available >= 0));
            """;

    private static final String FILL = """
            TRUNCATE pickup_orders, stock;
            INSERT INTO stock SELECT g, 0 FROM generate_series(0, 999) g;
            INSERT INTO pickup_orders
            SELECT g, 'RESERVE_PICKUP', 'RESERVED', 'store' || g %% 50, 'user' || g, floor(random() * 1000)::int, 1 + g %% 3,
                (clock_timestamp() AT TIME ZONE 'UTC') - INTERVAL '1 hour' + g * INTERVAL '1 millisecond', 1
            FROM generate_series(1, %d) g;
            ANALYZE pickup_orders, stock;
            """;

    /** State and stock in one statement; the rows of the stock are locked in their order first. */
    static final String BY_HAND = """
            WITH gone AS (
                UPDATE pickup_orders SET status = 'EXPIRED', version = version + 1
                WHERE order_id = ANY (ARRAY(
                    SELECT order_id FROM pickup_orders
                    WHERE order_type = 'RESERVE_PICKUP' AND status = 'RESERVED'
                      AND hold_expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
                    ORDER BY hold_expires_at LIMIT 500 FOR UPDATE SKIP LOCKED))
                RETURNING item_id, quantity
            ), back AS (
                SELECT item_id, sum(quantity) AS quantity FROM gone GROUP BY item_id
            ), held AS (
                SELECT s.item_id FROM stock s WHERE s.item_id IN (SELECT item_id FROM back) ORDER BY s.item_id FOR UPDATE
            ), put AS (
                UPDATE stock s SET available = s.available + back.quantity
                FROM back JOIN held USING (item_id) WHERE s.item_id = back.item_id
            )
            SELECT count(*) FROM gone
            """;

    static final String STATE_BY_HAND = """
            WITH gone AS (
                UPDATE pickup_orders SET status = 'EXPIRED', version = version + 1
                WHERE order_id = ANY (ARRAY(
                    SELECT order_id FROM pickup_orders
                    WHERE order_type = 'RESERVE_PICKUP' AND status = 'RESERVED'
                      AND hold_expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
                    ORDER BY hold_expires_at LIMIT 500 FOR UPDATE SKIP LOCKED))
                RETURNING order_id
            )
            SELECT count(*) FROM gone
            """;

    private final HikariDataSource pool = new HikariDataSource();

    public Sweep(Database database) throws SQLException {
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(24);
        execute(DDL);
    }

    public HikariDataSource pool() {
        return pool;
    }

    /** Leaves so many overdue orders. */
    public void fill(int rows) throws SQLException {
        execute(FILL.formatted(rows));
    }

    /** Expires all orders with one statement for each batch. */
    public void byHand() throws SQLException {
        byHand(BY_HAND);
    }

    /** Expires all orders with the library, a batch at a time. */
    public void inBatches() {
        run(source().expireBatch(PickupOrders::returnStock));
    }

    Integer byHand(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            int rows;
            do {
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    rows = row.getInt(1);
                }
            } while (rows == BATCH);
            return rows;
        }
    }

    TableExpirationSourceBuilder<PickupOrder> source() {
        return TableExpirationSource.builder("pickup-orders", PickupOrder::read)
                .dataSource(pool)
                .table("pickup_orders")
                .key("order_id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("hold_expires_at")
                .where("order_type = 'RESERVE_PICKUP'")
                .columns("store_id", "user_id", "item_id", "quantity")
                .version("version")
                .batchSize(BATCH);
    }

    static SourceRun run(TableExpirationSourceBuilder<PickupOrder> builder) {
        SourceRun run = PickupStore.run(builder.build());
        run.failure().ifPresent(failure -> {
            throw new IllegalStateException(failure);
        });
        return run;
    }

    public void execute(String script) throws SQLException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(script);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
