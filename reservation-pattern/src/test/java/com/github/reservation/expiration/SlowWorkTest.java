// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Work that takes longer than its time limit: a row that blocks is set aside, and rows that are slow together expire in parts. */
@SideBySide
class SlowWorkTest extends OnPickupStore {

    private static final Duration LIMIT = Duration.ofSeconds(1);

    @Override
    protected boolean isImpatient() {
        return true;
    }

    @Test
    void aRowThatWaitsForALock_isCancelledAndSetAside() throws SQLException {
        store.holdUpTo(2);
        try (Connection stranger = lockStockOf(2)) {
            SourceRun run =
                    PickupStore.run(store.source().timeLimit(LIMIT).expireBatch(PickupOrders::returnStock).build());

            assertThat(run.failure()).isEmpty();
            assertThat(run.failedRows()).extracting(FailedRow::row).containsExactly("2");
            assertThat(run.processedCount()).isEqualTo(1);
            assertThat(run.duration()).as("not until InnoDB gives up, after 50 s").isLessThan(LIMIT.multipliedBy(30));
            stranger.rollback();
        }
        assertThat(store.stock()).isEqualTo(PickupStore.PIECES);
    }

    @Test
    void aRowThatWaitsForALock_isFoundWhereTheWorkIsForOneRow() throws SQLException {
        store.holdUpTo(2);
        try (Connection stranger = lockStockOf(2)) {
            SourceRun run =
                    PickupStore.run(store.source().timeLimit(LIMIT).expireRow(PoisonTest::returnStock).build());

            assertThat(run.failedRows()).extracting(FailedRow::row).containsExactly("2");
            assertThat(run.processedCount()).isEqualTo(1);
            stranger.rollback();
        }
        assertThat(store.stock()).isEqualTo(PickupStore.PIECES);
    }

    /** All rows together take longer than the limit, and longer than the interrupt that follows. No row is at fault. */
    @Test
    void rowsThatAreTooSlowTogether_expireInHalves() {
        store.holdUpTo(8);
        Duration limit = LIMIT.multipliedBy(2);

        SourceRun run = PickupStore.run(store.source().timeLimit(limit).expireRow((tx, order) -> {
            PoisonTest.returnStock(tx, order);
            Thread.sleep(limit.dividedBy(5));
        }).build());

        assertThat(run.failedRows()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(8);
        assertThat(store.stock()).isEqualTo(8 * PickupStore.PIECES);
    }

    @Test
    void aRowThatBlocksOutsideTheDatabase_isInterruptedAndSetAside() {
        store.holdUpTo(2);

        SourceRun run = PickupStore.run(store.source().timeLimit(LIMIT).expireRow((tx, order) -> {
            if (order.orderId() == 2) {
                Thread.sleep(Duration.ofMinutes(1));
            }
            PoisonTest.returnStock(tx, order);
        }).build());

        assertThat(run.failedRows()).singleElement().satisfies(failed -> {
            assertThat(failed.row()).isEqualTo("2");
            assertThat(failed.cause()).isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("longer than " + LIMIT)
                    .hasRootCauseInstanceOf(InterruptedException.class);
        });
        assertThat(run.processedCount()).isEqualTo(1);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(store.stock()).isEqualTo(PickupStore.PIECES);
    }

    private Connection lockStockOf(long item) throws SQLException {
        Connection stranger = store.database().connect();
        stranger.setAutoCommit(false);
        try (Statement statement = stranger.createStatement()) {
            statement.executeUpdate("UPDATE stock SET available = available + 1 WHERE item_id = " + item);
        }
        return stranger;
    }
}
