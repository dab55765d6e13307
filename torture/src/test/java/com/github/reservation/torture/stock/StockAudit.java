// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import com.github.reservation.torture.Tables;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Says whether orders and stock are as they must be when all is quiet.
 *
 * <ol>
 *   <li>{@code stock}: what is available, and what orders hold, add up to what there was at first; nothing is below zero.
 *   <li>{@code stock-moves}: an order was confirmed, cancelled or expired once, as its status says, or not at all.
 *   <li>{@code stock-early}: no order expired before its end.
 *   <li>{@code stock-overdue}: no order is left that is over.
 *   <li>{@code stock-told}: the event of each order that expired has arrived, and of no other.
 * </ol>
 */
public final class StockAudit {

    private static final int MOST_FINDINGS = 20;

    private final DataSource dataSource;
    private final List<Finding> findings = new ArrayList<>();

    private StockAudit(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Looks at the tables, when no worker runs any more.
     *
     * @param history what the workers have noted: also which events have arrived
     */
    public static Verdict of(DataSource dataSource, History history) {
        StockAudit audit = new StockAudit(dataSource);
        audit.checkStock();
        audit.checkMoves();
        Set<String> expired = audit.ids("SELECT id FROM torture_orders WHERE status = 'EXPIRED'");
        List<Call> told = history.of("told");
        audit.checkTold(expired, told.stream().map(Call::key).collect(Collectors.toSet()));
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String status : List.of("RESERVED", "CONFIRMED", "CANCELLED")) {
            counts.put("orders-" + status.toLowerCase(Locale.ROOT), Tables.number(
                    dataSource, "SELECT COUNT(*) FROM torture_orders WHERE status = '" + status + "'"));
        }
        counts.put("expired", (long) expired.size());
        counts.put("expired-told", (long) told.size());
        counts.put("orders-failed", history.of("stock-reserve", "stock-confirm", "stock-cancel").stream()
                .filter(call -> call.has("failed")).count());
        return new Verdict(audit.findings, counts);
    }

    private Set<String> ids(String sql) {
        return new HashSet<>(Tables.query(dataSource, sql).stream().map(List::getFirst).toList());
    }

    private void checkStock() {
        findAll("stock", "Item, available, at first, held by orders", """
                SELECT s.item, s.available, s.at_first, COALESCE(SUM(o.quantity), 0)
                FROM torture_stock s
                LEFT JOIN torture_orders o ON o.item = s.item AND o.status IN ('RESERVED', 'CONFIRMED')
                GROUP BY s.item, s.available, s.at_first
                HAVING s.available < 0 OR s.available + COALESCE(SUM(o.quantity), 0) <> s.at_first
                """);
    }

    private void checkMoves() {
        findAll("stock-moves", "Order, status, moves, the first and the last by name", """
                SELECT o.id, o.status, COUNT(m.move), MIN(m.move), MAX(m.move)
                FROM torture_orders o
                LEFT JOIN torture_moves m ON m.order_id = o.id
                GROUP BY o.id, o.status
                HAVING COUNT(m.move) <> CASE WHEN o.status = 'RESERVED' THEN 0 ELSE 1 END OR MIN(m.move) <> o.status
                """);
        findAll("stock-moves", "Move of an order that there is not", """
                SELECT m.order_id, m.move
                FROM torture_moves m
                LEFT JOIN torture_orders o ON o.id = m.order_id
                WHERE o.id IS NULL
                """);
        findAll("stock-early", "Order, when it expired, its end", """
                SELECT o.id, m.moved_at, o.expires_at
                FROM torture_orders o
                JOIN torture_moves m ON m.order_id = o.id
                WHERE m.move = 'EXPIRED' AND m.moved_at < o.expires_at
                """);
        findAll("stock-overdue", "Order, its end",
                "SELECT id, expires_at FROM torture_orders WHERE status = 'RESERVED'");
    }

    private void checkTold(Set<String> expired, Set<String> told) {
        find("stock-told", "Expired, and nobody was told: ", expired, told);
        find("stock-told", "Told, but not expired: ", told, expired);
        findAll("stock-told", "Event that waits, listener",
                "SELECT event_id, listener_id FROM " + StockTables.EVENTS + "_DELIVERIES");
    }

    private void find(String rule, String what, Set<String> all, Set<String> others) {
        all.stream().filter(one -> !others.contains(one)).limit(MOST_FINDINGS)
                .forEach(one -> findings.add(new Finding(rule, what + one)));
    }

    private void findAll(String rule, String what, String sql) {
        Tables.query(dataSource, sql).stream().limit(MOST_FINDINGS)
                .forEach(row -> findings.add(new Finding(rule, what + ": " + row)));
    }
}
