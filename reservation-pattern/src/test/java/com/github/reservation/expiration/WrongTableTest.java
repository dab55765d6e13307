// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only the first run can find out: it ends with a sentence that says what is wrong, and nothing is half done. */
@SideBySide
class WrongTableTest extends OnPickupStore {

    @AfterEach
    void nothingWasDone() {
        assertThat(store.count("RESERVED")).isEqualTo(3);
        assertThat(store.stock()).isZero();
        assertThat(events).isEmpty();
    }

    private Throwable failureOf(TableExpirationSourceBuilder<PickupOrder> builder) {
        store.holdUpTo(3);
        SourceRun run = PickupStore.run(published(builder).build());
        assertThat(run.processedCount()).isZero();
        assertThat(run.failedCount()).isZero();
        return run.failure().orElseThrow();
    }

    @Test
    void theStatusColumnDoesNotExist() {
        assertThat(failureOf(store.source().status("state", "RESERVED", "EXPIRED")))
                .hasMessageContaining(
                        "Does table pickup_orders have the columns hold_expires_at, order_id, state, version");
    }

    @Test
    void theTableDoesNotExist() {
        assertThat(failureOf(store.source().table("orders_of_nobody")))
                .hasMessageContaining("Does table orders_of_nobody have the columns");
    }

    @Test
    void theEndIsNoTime() {
        assertThat(failureOf(store.source().expiresAt("quantity")))
                .hasMessageContaining("Column quantity must be a timestamp to expire rows by, but its type is");
    }

    @Test
    void theKeyIsNotTheKey() {
        assertThat(failureOf(store.source().key("store_id")))
                .hasMessageContaining("Are the key columns [store_id] its primary key");
    }

    @Test
    void theWorkCommits() {
        assertThat(failureOf(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            tx.commit();
        }))).hasMessageStartingWith("The work of source pickup-orders called commit() on the connection of its batch");
    }

    @Test
    void theWorkClosesTheConnection() {
        assertThat(failureOf(store.source().expireBatch((tx, batch) -> {
            try (Connection closed = tx) {
                PickupOrders.returnStock(closed, batch);
            }
        }))).hasMessageContaining("called close()");
    }

    @Test
    void theWorkCommitsAndCatchesWhatItGets() {
        assertThat(failureOf(store.source().expireRow((tx, order) -> {
            try {
                tx.setAutoCommit(true);
            } catch (IllegalStateException swallowed) {
                tx.createStatement().close();
            }
        }))).hasMessageContaining("called setAutoCommit()");
    }
}
