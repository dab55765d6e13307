// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import com.github.reservation.shop.DatabaseClock;
import java.time.LocalDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Where counts are written. It refuses the write of a count whose lock was lost: a newer count has left its higher fencing token in the
 * row, and the row compares.
 */
@Repository
class CountBook {

    private final JdbcClient jdbc;
    private final DatabaseClock clock;

    CountBook(JdbcClient jdbc, DatabaseClock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Notes who starts to count. From now on, writes with a lower token are refused. A count without a token has 0. */
    void start(long storeId, String counter, long fence) {
        try {
            jdbc.sql("INSERT INTO stock_counts (store_id, fence) VALUES (?, 0)").param(storeId).update();
        } catch (DuplicateKeyException e) {
            // Not the first count of this store: the row is there.
        }
        jdbc.sql("""
                UPDATE stock_counts
                SET counter = :counter, fence = GREATEST(fence, :fence)
                WHERE store_id = :store
                AND (:fence = 0 OR fence <= :fence)
                """).param("counter", counter).param("fence", fence).param("store", storeId).update();
    }

    /** Writes the count. Returns false if a newer count has started: then nothing is written. */
    boolean write(long storeId, String counter, int units, long fence) {
        return jdbc.sql("""
                UPDATE stock_counts
                SET counted_by = :counter, counted_units = :units, counted_fence = :fence, counted_at = :now
                WHERE store_id = :store
                AND (:fence = 0 OR fence <= :fence)
                """)
                .param("counter", counter)
                .param("units", units)
                .param("fence", fence)
                .param("now", DatabaseClock.column(clock.now()))
                .param("store", storeId)
                .update() == 1;
    }

    /** Returns all units of the store: those on sale, and those that are held for orders. */
    int units(long storeId) {
        return jdbc.sql("""
                SELECT COALESCE(SUM(available), 0) + (
                    SELECT COALESCE(SUM(l.quantity), 0)
                    FROM order_lines l
                    JOIN orders o ON o.id = l.order_id
                    WHERE o.store_id = :id
                    AND o.status = 'RESERVED'
                )
                FROM products
                WHERE store_id = :id
                """).param("id", storeId).query(Integer.class).single();
    }

    /** Returns who has started the last count of the store. */
    Optional<String> counter(long storeId) {
        return jdbc.sql("SELECT counter FROM stock_counts WHERE store_id = ? AND counter IS NOT NULL").param(storeId)
                .query(String.class).optional();
    }

    private record Row(String countedBy, int countedUnits, @Nullable Long countedFence, LocalDateTime countedAt) {}

    Optional<LastCount> last(long storeId) {
        return jdbc.sql("""
                SELECT counted_by, counted_units, counted_fence, counted_at
                FROM stock_counts
                WHERE store_id = ?
                AND counted_at IS NOT NULL
                """).param(storeId).query(Row.class).optional()
                .map(row -> new LastCount(
                        row.countedBy(), row.countedUnits(), row.countedFence(),
                        DatabaseClock.instant(row.countedAt())));
    }
}
