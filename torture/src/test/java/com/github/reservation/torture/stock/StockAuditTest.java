// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.history.WrittenHistory;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StockAuditTest {

    private final WrittenHistory calls = new WrittenHistory();
    private DataSource dataSource;

    @BeforeEach
    void install() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        dataSource = h2;
        StockWorkload.install(dataSource, "h2");
        order(1, "EXPIRED", "EXPIRED");
        order(2, "CONFIRMED", "CONFIRMED");
        order(3, "CANCELLED", "CANCELLED");
        JdbcBackend.execute(dataSource, "UPDATE torture_stock SET available = available - 2 WHERE item = 10");
        calls.call("worker-1", 0, 0, "told 1 - attempt=1");
    }

    /** An order of two pieces of an item, and a move of it. */
    private void order(long id, String status, String move) {
        JdbcBackend.execute(dataSource, """
                INSERT INTO torture_orders VALUES (%1$d, 10, 2, '%2$s', TIMESTAMP '2026-01-01 12:00:00', 2);
                INSERT INTO torture_moves VALUES (%1$d, '%3$s', TIMESTAMP '2026-01-01 12:00:01');
                """.formatted(id, status, move));
    }

    private void breaks(String rule) {
        assertThat(StockAudit.of(dataSource, calls.history()).findings()).extracting(Finding::rule)
                .containsOnly(rule);
    }

    @Test
    void acceptsWhatAddsUp() {
        assertThat(StockAudit.of(dataSource, calls.history()).findings()).isEmpty();
        assertThat(StockAudit.of(dataSource, calls.history()).counts()).containsEntry("expired", 1L);
    }

    @Test
    void findsStockThatWentBackTwice() {
        JdbcBackend.execute(dataSource, "UPDATE torture_stock SET available = available + 2 WHERE item = 10");
        breaks("stock");
    }

    @Test
    void findsAnOrderThatExpiredTwice() {
        JdbcBackend.execute(dataSource, "INSERT INTO torture_moves SELECT * FROM torture_moves WHERE order_id = 1");
        breaks("stock-moves");
    }

    @Test
    void findsAnOrderThatWasConfirmedAndExpired() {
        JdbcBackend.execute(dataSource, "UPDATE torture_moves SET move = 'EXPIRED' WHERE order_id = 2");
        breaks("stock-moves");
    }

    @Test
    void findsAnOrderThatExpiredTooEarly() {
        JdbcBackend.execute(dataSource, """
                UPDATE torture_orders SET expires_at = TIMESTAMP '2026-01-01 12:00:02' WHERE id = 1
                """);
        breaks("stock-early");
    }

    @Test
    void findsAnOrderThatWasForgotten() {
        JdbcBackend.execute(dataSource, """
                DELETE FROM torture_moves WHERE order_id = 2;
                UPDATE torture_orders SET status = 'RESERVED' WHERE id = 2
                """);
        breaks("stock-overdue");
    }

    @Test
    void findsAnOrderOfWhichNobodyWasTold() {
        JdbcBackend.execute(dataSource, "UPDATE torture_stock SET available = available + 2 WHERE item = 10");
        JdbcBackend.execute(dataSource, "UPDATE torture_orders SET status = 'EXPIRED' WHERE id = 2");
        JdbcBackend.execute(dataSource, "UPDATE torture_moves SET move = 'EXPIRED' WHERE order_id = 2");
        breaks("stock-told");
    }
}
