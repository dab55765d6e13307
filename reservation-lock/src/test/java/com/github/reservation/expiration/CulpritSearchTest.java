// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A batch fails, and nobody says which row it was: the library finds the row, and the others expire. */
@SideBySide
class CulpritSearchTest extends OnPickupStore {

    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger transactions = new AtomicInteger();

    @Test
    void theCulpritIsFound_andTheOthersExpire_inOneMoreTransaction() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().transactor(counting()).expireBatch(this::failOn42))
                .build());

        assertOnlyOrder42IsLeft(run);
        assertThat(transactions).as("find, the batch, the search, the lag").hasValue(4);
        assertThat(attempts).hasValueLessThanOrEqualTo(24);
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

    /** As in a distributed transaction. */
    @Test
    void withoutSavepoints_theCulpritIsFoundInTransactionsOfTheirOwn() {
        store.holdUpTo(100);
        Transactor without = new Transactor() {
            private final Transactor real = Transactor.of(store.dataSource());

            @Override
            public <T> T inTransaction(Work<T> work) throws Exception {
                return real.inTransaction(tx -> work.run(withoutSavepoints(tx)));
            }
        };

        SourceRun run =
                PickupStore.run(published(store.source().transactor(without).expireBatch(this::failOn42)).build());

        assertOnlyOrder42IsLeft(run);
    }

    /** The transaction of the search is gone, and with it the locks: nothing of it may be committed. */
    @Test
    void aDeadlockDuringTheSearch_endsTheSearchOnly() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(
                store.source().transactor(new DeadlockTransactor(store.dataSource())).expireBatch((tx, batch) -> {
                    if (attempts.get() == 2) {
                        attempts.incrementAndGet();
                        try (Statement statement = tx.createStatement()) {
                            statement.executeUpdate(DeadlockTransactor.DEADLOCK);
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

        SourceRun run = PickupStore.run(published(store.source().transactor(counting(3)).expireBatch((tx, batch) -> {
            attempts.incrementAndGet();
            throw new IllegalStateException("poison");
        })).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).isEmpty();
        assertThat(attempts).hasValue(1);
    }

    @Test
    void namedAndThrownBeforeTheFirstStatement_theWorkRunsAgainInTheSameTransaction() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().transactor(counting()).expireBatch((tx, batch) -> {
            attempts.incrementAndGet();
            for (PickupOrder order : batch.rows()) {
                if (order.orderId() == 42) {
                    IllegalStateException poison = new IllegalStateException("poison");
                    batch.reject(order, poison);
                    throw poison;
                }
            }
            PickupOrders.returnStock(tx, batch);
        })).build());

        assertOnlyOrder42IsLeft(run);
        assertThat(attempts).hasValue(2);
        assertThat(transactions).as("find, the batch, the lag").hasValue(3);
    }

    private void failOn42(Connection tx, ExpirationBatch<PickupOrder> batch) throws Exception {
        attempts.incrementAndGet();
        PickupOrders.returnStock(tx, batch);
        if (batch.rows().stream().anyMatch(order -> order.orderId() == 42)) {
            throw new IllegalStateException("poison");
        }
    }

    private Transactor counting() {
        return counting(0);
    }

    /** Counts transactions. Before one of them begins, customers complete all their orders. */
    private Transactor counting(int completeBefore) {
        return new Transactor() {
            private final Transactor real = Transactor.of(store.dataSource());

            @Override
            public <T> T inTransaction(Work<T> work) throws Exception {
                if (transactions.incrementAndGet() == completeBefore) {
                    store.database().execute("UPDATE pickup_orders SET status = 'COMPLETED'");
                }
                return real.inTransaction(work);
            }
        };
    }

    private static Connection withoutSavepoints(Connection tx) {
        return (Connection) Proxy.newProxyInstance(
                CulpritSearchTest.class.getClassLoader(),
                new Class<?>[]{Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("setSavepoint")) {
                        throw new SQLFeatureNotSupportedException("no savepoints");
                    }
                    try {
                        return method.invoke(tx, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private void assertOnlyOrder42IsLeft(SourceRun run) {
        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).singleElement().satisfies(failed -> {
            assertThat(failed.row()).isEqualTo("42");
            assertThat(failed.cause()).hasMessage("poison");
        });
        assertThat(store.status(42)).isEqualTo("RESERVED");
        assertThat(store.count("EXPIRED")).isEqualTo(99);
        assertThat(store.stock()).isEqualTo(99 * PickupStore.PIECES);
        assertThat(expiredOrders()).hasSize(99).doesNotContain("42").doesNotHaveDuplicates();
    }
}
