// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Work that fails again and again: the database is spared, and what can expire does. */
@SideBySide
class HopelessWorkTest extends OnPickupStore {

    @Test
    void workThatAlwaysFails_costsOneTransactionForEachFurtherBatch() {
        AtomicInteger attempts = new AtomicInteger();
        store.holdUpTo(1_000);

        SourceRun run = PickupStore.run(store.source().batchSize(50).expireBatch((tx, batch) -> {
            attempts.incrementAndGet();
            throw new IllegalStateException("always");
        }).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedCount()).isPositive();
        assertThat(attempts).hasValueLessThanOrEqualTo(50 + 1_000 / 50);
        assertThat(store.count("RESERVED")).isEqualTo(1_000);
    }

    @Test
    void rowsBehindManyThatFail_expireInTheSameRun() {
        store.holdUpTo(500);

        SourceRun run = PickupStore.run(store.source().batchSize(50).expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            if (batch.rows().stream().anyMatch(order -> order.orderId() <= 300)) {
                throw new IllegalStateException("poison");
            }
        }).build());

        assertThat(run.processedCount()).isEqualTo(200);
        assertThat(store.count("EXPIRED")).isEqualTo(200);
        assertThat(store.stock()).isEqualTo(200 * PickupStore.PIECES);
    }

    @Test
    void rowsBetweenManyWhoseStatementFails_expireInTheSameRun() {
        assertOthersExpire(order -> order.orderId() % 3 == 0);
    }

    @Test
    void rowsBehindManyWhoseStatementFails_expireInTheSameRun() {
        assertOthersExpire(order -> order.orderId() <= 50);
    }

    /** Runs work for 150 orders in one batch, in which the database refuses a statement for 50 of them. */
    private void assertOthersExpire(Predicate<PickupOrder> refused) {
        store.holdUpTo(150);

        SourceRun run = PickupStore.run(store.source().expireRow((tx, order) -> {
            PoisonTest.returnStock(tx, order);
            if (refused.test(order)) {
                try (Statement statement = tx.createStatement()) {
                    statement.executeUpdate("UPDATE no_such_table SET available = 1");
                }
            }
        }).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedCount()).isEqualTo(50);
        assertThat(run.processedCount()).isEqualTo(100);
        assertThat(store.count("EXPIRED")).isEqualTo(100);
        assertThat(store.stock()).isEqualTo(100 * PickupStore.PIECES);
    }
}
