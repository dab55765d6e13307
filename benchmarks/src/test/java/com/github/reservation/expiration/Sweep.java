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

    private final HikariDataSource pool = new HikariDataSource();

    public Sweep(Database database) throws SQLException {
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(24);
        execute(ExpirationSql.TABLES);
    }

    public HikariDataSource pool() {
        return pool;
    }

    /** Leaves so many overdue orders. */
    public void fill(int rows) throws SQLException {
        execute(ExpirationSql.FILL_ORDERS.formatted(rows));
    }

    /** Expires all orders with one statement for each batch. */
    public void byHand() throws SQLException {
        byHand(ExpirationSql.BY_HAND);
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
