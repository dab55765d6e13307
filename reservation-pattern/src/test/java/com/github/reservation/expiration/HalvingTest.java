// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A batch fails, and nobody says which row it was: the library finds the row, and the others expire. */
@SideBySide
class HalvingTest extends OnPickupStore {

    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger transactions = new AtomicInteger();

    @Test
    void theCulpritIsFound_andTheOthersExpire_inAFewTransactions() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().dataSource(counting()).expireBatch(this::failOn42))
                .build());

        assertOnlyOrder42IsLeft(run);
        assertThat(attempts).as("the batch, and at most two parts for each time it is halved")
                .hasValueLessThanOrEqualTo(15);
        assertThat(transactions).as("find, the attempts, the lag").hasValue(attempts.get() + 2);
    }

    @Test
    void aBatchIsHalvedUntilTheRowIsAlone() {
        assertThat(sizesOfAttempts(1)).containsExactly(8, 4, 2, 1, 1, 2, 4);
        assertThat(sizesOfAttempts(8)).containsExactly(8, 4, 4, 2, 2, 1, 1);
    }

    /** Lets eight orders expire, of which one fails. */
    private List<Integer> sizesOfAttempts(long culprit) {
        List<Integer> sizes = new ArrayList<>();
        store.install().holdUpTo(8);

        SourceRun run = PickupStore.run(store.source().expireBatch((tx, batch) -> {
            sizes.add(batch.rows().size());
            PickupOrders.returnStock(tx, batch);
            if (batch.rows().stream().anyMatch(order -> order.orderId() == culprit)) {
                throw new IllegalStateException("poison");
            }
        }).build());

        assertThat(run.failedRows()).extracting(FailedRow::row).containsExactly(String.valueOf(culprit));
        assertThat(store.count("EXPIRED")).isEqualTo(7);
        assertThat(store.stock()).isEqualTo(7 * PickupStore.PIECES);
        return sizes;
    }

    /** One row in a hundred, the culprit unknown: the run finds all of them and expires the rest. */
    @Test
    void onePercent_isSetAside() {
        store.holdUpTo(1_000);

        SourceRun run = PickupStore.run(published(store.source().batchSize(250).expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            if (batch.rows().stream().anyMatch(order -> order.orderId() % 100 == 42)) {
                throw new IllegalStateException("poison");
            }
        })).build());

        assertThat(run.failedCount()).isEqualTo(10);
        assertThat(run.setAsideCount()).isEqualTo(10);
        assertThat(run.failedRows()).extracting(FailedRow::row)
                .containsExactlyInAnyOrder("42", "142", "242", "342", "442", "542", "642", "742", "842", "942");
        assertThat(store.count("EXPIRED")).isEqualTo(990);
        assertThat(store.stock()).isEqualTo(990 * PickupStore.PIECES);
        assertThat(events).hasSize(990);
    }

    /** The transaction is gone, and with it the locks: nothing of it may be committed. */
    @Test
    void aDeadlockDuringTheSearch_endsItsAttemptOnly() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(
                store.source().dataSource(Deadlocks.on(store.dataSource())).expireBatch((tx, batch) -> {
                    if (attempts.get() == 2) {
                        attempts.incrementAndGet();
                        try (Statement statement = tx.createStatement()) {
                            statement.executeUpdate(Deadlocks.DEADLOCK);
                        }
                    }
                    failOn42(tx, batch);
                })).build());

        assertOnlyOrder42IsLeft(run);
    }

    @Test
    void workThatCommitsDuringTheSearch_endsTheRun_andNothingIsCommitted() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            if (attempts.get() == 2) {
                tx.commit();
            }
            failOn42(tx, batch);
        })).build());

        assertThat(run.failure().orElseThrow()).hasMessageContaining("called commit()");
        assertThat(run.failedCount()).isZero();
        assertThat(store.count("RESERVED")).isEqualTo(100);
        assertThat(store.stock()).isZero();
        assertThat(events).isEmpty();
    }

    /** Each row is fine, but all of them together are not: there is no culprit to find. */
    @Test
    void rowsThatFailOnlyTogether_expireInHalves() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            if (batch.rows().size() > 50) {
                throw new IllegalStateException("too many");
            }
        })).build());

        assertThat(run.failedRows()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(100);
        assertThat(store.stock()).isEqualTo(100 * PickupStore.PIECES);
        assertThat(expiredOrders()).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void rowsThatOthersTakeBeforeTheSearch_areNotToBlame() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().dataSource(counting(3)).expireBatch((tx, batch) -> {
            attempts.incrementAndGet();
            throw new IllegalStateException("poison");
        })).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).isEmpty();
        assertThat(attempts).hasValue(1);
    }

    @Test
    void namedAndThrown_theRowIsLeftOutOfTheHalves() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().dataSource(counting()).expireBatch((tx, batch) -> {
            attempts.incrementAndGet();
            PickupOrders.returnStock(tx, batch);
            for (PickupOrder order : batch.rows()) {
                if (order.orderId() == 42) {
                    IllegalStateException poison = new IllegalStateException("poison");
                    batch.reject(order, poison);
                    throw poison;
                }
            }
        })).build());

        assertOnlyOrder42IsLeft(run);
        assertThat(attempts).hasValue(3);
        assertThat(transactions).as("find, the batch, its halves, the lag").hasValue(5);
    }

    private void failOn42(Connection tx, ExpirationBatch<PickupOrder> batch) throws Exception {
        attempts.incrementAndGet();
        returnStockUnless42(tx, batch);
    }

    private DataSource counting() {
        return counting(0);
    }

    /** Counts transactions. Before one of them begins, customers complete all their orders. */
    private DataSource counting(int completeBefore) {
        return EachConnection.of(store.dataSource(), connection -> {
            if (transactions.incrementAndGet() == completeBefore) {
                store.database().execute("UPDATE pickup_orders SET status = 'COMPLETED'");
            }
            return connection;
        });
    }
}
