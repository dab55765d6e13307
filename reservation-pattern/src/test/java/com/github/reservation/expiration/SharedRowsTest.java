// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The application uses the same rows: it completes orders, locks them, and touches the stock. */
@SideBySide
class SharedRowsTest extends OnPickupStore {

    private final CountDownLatch jobHasOne = new CountDownLatch(1);
    private final CountDownLatch applicationHasTwo = new CountDownLatch(1);

    @Override
    protected boolean isImpatient() {
        return true;
    }

    @Test
    void rowsThatTheApplicationHasLocked_areSkippedAndTheRunEnds() throws SQLException {
        store.holdUpTo(10);
        try (Connection application = store.database().connect()) {
            application.setAutoCommit(false);
            try (Statement statement = application.createStatement()) {
                statement.executeUpdate("UPDATE pickup_orders SET status = 'COMPLETED' WHERE order_id IN (2, 7)");
            }

            SourceRun run = PickupStore.run(source());

            assertThat(run.processedCount()).isEqualTo(8);
            assertThat(run.failedCount()).isZero();
            application.commit();
        }
        assertThat(PickupStore.run(source()).processedCount()).isZero();
        assertThat(store.status(2)).isEqualTo("COMPLETED");
        assertThat(store.stock()).isEqualTo(8 * PickupStore.PIECES);
    }

    @Test
    void aRowThatIsCompletedAfterItWasFound_isLeftAlone() {
        store.holdUpTo(3);
        AtomicInteger transactions = new AtomicInteger();
        Transactor real = Transactor.of(store.dataSource());
        TableExpirationSource<PickupOrder> source = store.source()
                .expireBatch(PickupOrders::returnStock)
                .transactor(new Transactor() {
                    @Override
                    public <T> T inTransaction(Work<T> work) throws Exception {
                        if (transactions.incrementAndGet() == 2) { // The first one has found the rows.
                            store.database().execute(
                                    "UPDATE pickup_orders SET status = 'COMPLETED' WHERE order_id = 2");
                        }
                        return real.inTransaction(work);
                    }
                })
                .build();

        SourceRun run = PickupStore.run(source);

        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(store.status(2)).isEqualTo("COMPLETED");
        assertThat(store.stock(2)).isZero();
    }

    /** The application takes stock in another order than the job returns it. If the job is the victim, it tries again. */
    @Test
    void aDeadlockWithTheApplication_isResolved() throws Exception {
        store.holdUpTo(2);
        AtomicInteger attempts = new AtomicInteger();
        TableExpirationSource<PickupOrder> source = store.source().expireBatch((tx, batch) -> {
            add(tx, 1, batch.rows().size());
            if (attempts.incrementAndGet() == 1) {
                jobHasOne.countDown();
                applicationHasTwo.await();
            }
            add(tx, 2, batch.rows().size());
        }).build();

        try (Actor job = new Actor("job"); Actor application = new Actor("application")) {
            Future<SourceRun> run = job.starts(() -> PickupStore.run(source));
            Actor.awaitUninterruptibly(jobHasOne);
            Future<Boolean> victim = application.starts(this::isVictimOfTheOtherOrder);
            SourceRun result = Actor.result(run);

            assertThat(result.failure()).isEmpty();
            assertThat(result.failedCount()).isZero();
            assertThat(result.processedCount()).isEqualTo(2);
            assertThat(Actor.result(victim) || attempts.get() > 1).as("one of the two is the victim").isTrue();
        }
        assertThat(store.stock(1)).isEqualTo(2);
        assertThat(store.stock(2)).isEqualTo(2);
    }

    /** InnoDB and H2 roll all of the transaction back, and the work goes on in a new one. */
    @Test
    void aDeadlockThatTheWorkSwallows_losesNothing() throws Exception {
        assumeThat(kind).as("It is an H2, which rolls back more than an Oracle").isNotEqualTo(Databases.ORACLE_MODE);
        store.holdUpTo(2);
        AtomicInteger attempts = new AtomicInteger();
        TableExpirationSource<PickupOrder> source = store.source().expireBatch((tx, batch) -> {
            int rows = batch.rows().size();
            add(tx, 1, rows);
            try {
                if (attempts.incrementAndGet() == 1) {
                    jobHasOne.countDown();
                    applicationHasTwo.await();
                }
                add(tx, 2, rows);
            } catch (SQLException swallowed) {
                assertThat(attempts).hasValue(1);
            }
            add(tx, 3, rows);
        }).build();

        try (Actor job = new Actor("job"); Actor application = new Actor("application")) {
            Future<SourceRun> first = job.starts(() -> PickupStore.run(source));
            Actor.awaitUninterruptibly(jobHasOne);
            application.starts(this::isVictimOfTheOtherOrder);
            Actor.result(first);
        }
        PickupStore.run(source);

        assertThat(store.count("EXPIRED")).isEqualTo(2);
        assertThat(List.of(store.stock(1), store.stock(2), store.stock(3))).containsOnly(2L);
    }

    /** It is no fault of the work. On the others, it is the commit that fails. */
    @Test
    void aConnectionThatBreaksAfterTheWork_leavesTheBatchToBeTriedAgain() {
        assumeThat(kind.isMySql()).as("It looks for the savepoint of its transaction").isTrue();
        store.holdUpTo(2);
        AtomicInteger attempts = new AtomicInteger();

        SourceRun run = PickupStore.run(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            if (attempts.incrementAndGet() == 1) {
                try (Statement statement = tx.createStatement();
                        ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
                    row.next();
                    store.database().execute("KILL " + row.getLong(1));
                }
            }
        }).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(store.count("EXPIRED")).isEqualTo(2);
        assertThat(store.stock()).isEqualTo(2 * PickupStore.PIECES);
    }

    @Test
    void aJobThatIsTheVictimOfADeadlock_triesAgain() {
        store.holdUpTo(2);
        AtomicInteger attempts = new AtomicInteger();

        SourceRun run = PickupStore.run(store.source()
                .dataSource(Deadlocks.on(store.dataSource()))
                .expireBatch((tx, batch) -> {
                    PickupOrders.returnStock(tx, batch);
                    if (attempts.incrementAndGet() <= 2) {
                        tx.createStatement().executeUpdate(Deadlocks.DEADLOCK);
                    }
                })
                .build());

        assertThat(attempts).hasValue(3);
        assertThat(run.failure()).isEmpty();
        assertThat(run.failedCount()).isZero();
        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(store.stock()).isEqualTo(2 * PickupStore.PIECES);
    }

    /** Locks item 2, then wants item 1, and rolls back whatever comes of it. */
    private boolean isVictimOfTheOtherOrder() throws SQLException {
        try (Connection connection = store.database().connect()) {
            connection.setAutoCommit(false);
            add(connection, 2, 100);
            applicationHasTwo.countDown();
            try {
                add(connection, 1, 100);
                return false;
            } catch (SQLException e) {
                return true;
            } finally {
                connection.rollback();
            }
        }
    }

    private static void add(Connection connection, long item, int pieces) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE stock SET available = available + ? WHERE item_id = ?")) {
            update.setInt(1, pieces);
            update.setLong(2, item);
            update.executeUpdate();
        }
    }

    @Test
    void lagAndOverdueRowsTellHowFarBehindTheJobIs() throws Exception {
        TableExpirationSource<PickupOrder> source = source();
        assertThat(source.lag()).isZero();
        assertThat(source.findOverdue(10)).isEmpty();

        store.hold("RESERVE_PICKUP", "RESERVED", Duration.ofHours(2), 1);
        store.hold("RESERVE_PICKUP", "RESERVED", Duration.ofHours(1), 2);
        store.hold("RESERVE_PICKUP", "RESERVED", Duration.ofHours(-1), 3);

        assertThat(source.lag()).isBetween(Duration.ofMinutes(119), Duration.ofMinutes(121));
        assertThat(source.findOverdue(10)).extracting(PickupOrder::orderId).containsExactly(1L, 2L);
        assertThat(source.findOverdue(1)).extracting(PickupOrder::orderId).containsExactly(1L);
        try (ExpirationJob job = ExpirationJob.builder().source(source).build()) {
            assertThat(job.lag()).containsOnlyKeys("pickup-orders");
            job.runOnce();
            assertThat(job.lag()).containsEntry("pickup-orders", Duration.ZERO);
        }
    }

    /** As those of a pool that has turned autocommit off. */
    @Test
    void connectionsWithoutAutocommit_commitAndRollBackAllTheSame() throws SQLException {
        store.holdUpTo(100);
        try (Connection only = store.database().connect()) {
            only.setAutoCommit(false);

            SourceRun run = PickupStore.run(published(
                    store.source().dataSource(OneConnection.of(only)).expireRow((tx, order) -> {
                        add(tx, order.itemId(), order.quantity());
                        if (order.orderId() == 42) {
                            throw new IllegalStateException("poison");
                        }
                    })).build());

            assertOnlyOrder42IsLeft(run);
            assertThat(only.getAutoCommit()).isFalse();
        }
    }

    @Test
    void connectionsComeBackAsTheyWere() throws Exception {
        store.holdUpTo(3);
        Connection only = store.database().connect();
        only.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        Transactor transactor = Transactor.of(OneConnection.of(only));

        List<Integer> inside = transactor.inTransaction(
                tx -> List.of(tx.getTransactionIsolation(), tx.getAutoCommit() ? 1 : 0));
        SourceRun run = PickupStore.run(
                store.source().transactor(transactor).expireBatch(PickupOrders::returnStock).build());

        assertThat(inside).containsExactly(Connection.TRANSACTION_READ_COMMITTED, 0);
        assertThat(run.processedCount()).isEqualTo(3);
        assertThat(only.getAutoCommit()).isTrue();
        assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        only.close();
    }
}
