// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A search for a culprit, and what can happen meanwhile: another instance runs, the shop is in the way, the job is closed. */
@SideBySide
class DisturbedSearchTest extends OnPickupStore {

    /** The first attempt is the batch, the second one is its first half. */
    private static final int SEARCH = 2;

    /** More changes than the sweep makes: of two transactions InnoDB rolls back the one that has made fewer. */
    private static final int MANY_CHANGES = 500;

    private static final int FIRST_ITEM = 0;
    private static final int LAST_ITEM = PickupStore.ITEMS - 1;

    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch disturbed = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private ExpirationJob job;

    /** One instance searches in the first half of the orders. The other one takes the second half, and needs the same stock. */
    @Test
    void anotherInstanceRunsDuringTheSearch_andEachRowExpiresOnce() {
        store.holdUpTo(100);
        TableExpirationSource<PickupOrder> first = inHalves(() -> {
            if (attempts.incrementAndGet() == SEARCH) {
                disturbed.countDown();
                goOn.await();
            }
        });
        TableExpirationSource<PickupOrder> second = inHalves(goOn::countDown);
        try (Actor searching = new Actor("searching")) {
            Future<SourceRun> running = searching.starts(() -> PickupStore.run(first));
            Actor.awaitUninterruptibly(disturbed);

            SourceRun ofSecond = PickupStore.run(second);
            SourceRun ofFirst = Actor.result(running);

            assertThat(ofFirst.failure()).isEmpty();
            assertThat(ofSecond.failure()).isEmpty();
            assertThat(ofFirst.processedCount() + ofSecond.processedCount()).isEqualTo(99);
            assertThat(Stream.of(ofFirst, ofSecond).flatMap(run -> run.failedRows().stream()).map(FailedRow::row))
                    .containsOnly("42");
        }
        assertThat(store.count("EXPIRED")).isEqualTo(99);
        assertThat(store.stock()).isEqualTo(99 * PickupStore.PIECES);
        assertThat(expiredOrders()).hasSize(99).doesNotContain("42").doesNotHaveDuplicates();
    }

    private TableExpirationSource<PickupOrder> inHalves(Actor.Step before) {
        return published(store.source().batchSize(50).expireBatch((tx, batch) -> {
            before.run();
            returnStockUnless42(tx, batch);
        })).build();
    }

    @Test
    void aJobThatIsClosedDuringTheSearch_leavesTheRowsAsTheyWere() {
        store.holdUpTo(100);
        job = ExpirationJob.builder().source(published(store.source().expireBatch((tx, batch) -> {
            if (attempts.incrementAndGet() == SEARCH) {
                disturbed.countDown();
                await().pollInSameThread()
                        .until(() -> catchThrowable(job::runOnce).getMessage().equals("The job is closed"));
            }
            returnStockUnless42(tx, batch);
        })).build()).build();
        try (Actor searching = new Actor("searching")) {
            Future<ExpirationRun> running = searching.starts(job::runOnce);
            Actor.awaitUninterruptibly(disturbed);

            job.close();

            assertThat(store.dataSource().getHikariPoolMXBean().getActiveConnections()).isZero();
            SourceRun run = Actor.result(running).sources().getFirst();
            assertThat(run.failure()).isEmpty();
            assertThat(run.processedCount()).isZero();
            assertThat(run.failedRows()).isEmpty();
        }
        assertThat(attempts).as("nothing more is tried").hasValue(SEARCH);
        assertThat(store.count("RESERVED")).isEqualTo(100);
        assertThat(store.stock()).isZero();
        assertThat(events).isEmpty();
    }

    /** The sweep has one item and wants the other one, and so has the shop, the other way round. */
    @ParameterizedTest
    @ValueSource(ints = {1, SEARCH})
    void aDeadlockWithTheShop_isTheFaultOfNoRow(int attempt) throws SQLException {
        assumeTrue(kind.isMySql(), "Only InnoDB has a rule for who is rolled back");
        store.holdUpTo(100);
        List<SQLException> deadlocks = new CopyOnWriteArrayList<>();
        TableExpirationSource<PickupOrder> source = published(store.source().expireBatch((tx, batch) -> {
            if (attempts.incrementAndGet() == attempt) {
                add(tx, FIRST_ITEM);
                disturbed.countDown();
                goOn.await();
                try {
                    add(tx, LAST_ITEM);
                } catch (SQLException e) {
                    deadlocks.add(e);
                    throw e;
                }
            }
            returnStockUnless42(tx, batch);
        })).build();
        try (Actor sweeping = new Actor("sweeping"); Connection shop = store.database().connect()) {
            Future<SourceRun> running = sweeping.starts(() -> PickupStore.run(source));
            Actor.awaitUninterruptibly(disturbed);

            shop.setAutoCommit(false);
            for (int i = 0; i < MANY_CHANGES; i++) {
                add(shop, LAST_ITEM);
            }
            goOn.countDown();
            add(shop, FIRST_ITEM);
            shop.rollback();

            assertOnlyOrder42IsLeft(Actor.result(running));
            assertThat(deadlocks).singleElement().extracting(SQLException::getErrorCode).isEqualTo(1213);
        }
    }

    private static void add(Connection connection, int item) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE stock SET available = available + 1 WHERE item_id = " + item);
        }
    }
}
