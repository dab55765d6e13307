// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.torture.Tables;
import javax.sql.DataSource;

/**
 * The tables of the workload: orders that hold stock, the stock, and what became of each order. A move has no unique key, so that one that was
 * made twice can be seen.
 */
final class StockTables {

    static final String EVENTS = "TORTURE_EXPIRED";
    static final int ITEMS = 20;

    /** The first items are scarce: their stock runs out, and comes back. */
    static final int SCARCE_ITEMS = 4;

    private static final int SCARCE = 60;
    private static final int PLENTY = 10_000_000;

    private StockTables() {}

    static void install(DataSource dataSource, String ddl) {
        String time = ddl.equals("mysql") || ddl.equals("mariadb") ? "DATETIME(6)" : "TIMESTAMP(6)";
        Tables.dropOutbox(dataSource, EVENTS);
        JdbcBackend.execute(dataSource, """
                DROP TABLE IF EXISTS torture_orders;
                DROP TABLE IF EXISTS torture_stock;
                DROP TABLE IF EXISTS torture_moves;
                CREATE TABLE torture_orders (
                    id         BIGINT      NOT NULL PRIMARY KEY,
                    item       BIGINT      NOT NULL,
                    quantity   INT         NOT NULL,
                    status     VARCHAR(20) NOT NULL,
                    expires_at %1$s        NOT NULL,
                    version    BIGINT      NOT NULL
                );
                CREATE INDEX ix_torture_orders_due ON torture_orders (status, expires_at, id);
                CREATE TABLE torture_stock (
                    item      BIGINT NOT NULL PRIMARY KEY,
                    available INT    NOT NULL,
                    at_first  INT    NOT NULL
                );
                CREATE TABLE torture_moves (
                    order_id BIGINT      NOT NULL,
                    move     VARCHAR(20) NOT NULL,
                    moved_at %1$s        NOT NULL
                );
                CREATE INDEX ix_torture_moves ON torture_moves (order_id);
                """.formatted(time) + Ddl.of(ddl + "-outbox", EVENTS));
        StringBuilder stock = new StringBuilder();
        for (int item = 0; item < ITEMS; item++) {
            int pieces = item < SCARCE_ITEMS ? SCARCE : PLENTY;
            stock.append("INSERT INTO torture_stock VALUES (%d, %d, %d);".formatted(item, pieces, pieces));
        }
        JdbcBackend.execute(dataSource, stock.toString());
    }
}
