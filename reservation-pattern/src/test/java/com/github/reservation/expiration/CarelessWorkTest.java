// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.Registration;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Work that catches what it should throw is never committed half done; and a publisher that throws what it should catch harms nobody. */
@SideBySide
class CarelessWorkTest extends OnPickupStore {

    @Test
    void aPublisherThatThrowsLosesThatEvent_andNothingElse() {
        store.holdUpTo(2);
        List<Object> published = new ArrayList<>();
        ApplicationEvents failing = new ApplicationEvents() {
            @Override
            public void publish(Object event) {
                if (event.equals(1L)) {
                    throw new IllegalStateException("No connection to the broker");
                }
                published.add(event);
            }

            @Override
            public <E> Registration on(Class<E> type, Consumer<? super E> listener) {
                throw new UnsupportedOperationException();
            }
        };

        SourceRun run = PickupStore.run(
                store.source().publish(failing, (order, expiredAt) -> order.orderId()).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(published).containsExactly(2L);
        assertThat(store.status(1)).isEqualTo("EXPIRED");
    }

    @Test
    void workThatReturnsAfterTheTimeLimit_isNotCommitted() {
        store.hold(1);

        SourceRun run = PickupStore.run(published(
                store.source().timeLimit(Duration.ofMillis(1_500)).expireBatch((tx, batch) -> {
                    PickupOrders.returnStock(tx, batch);
                    try {
                        Thread.sleep(Duration.ofMinutes(1));
                    } catch (InterruptedException swallowed) {
                        assertThat(swallowed).isNotNull();
                    }
                })).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).singleElement()
                .satisfies(failed -> assertThat(failed.cause()).isInstanceOf(TimeoutException.class)
                        .hasRootCauseMessage("The work returned after it was cancelled, so it may be half done"));
        assertNothingIsCommitted(1);
    }

    @Test
    void workThatReturnsAfterAnInterrupt_isNotCommitted() {
        store.holdUpTo(2);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            Thread.currentThread().interrupt();
        })).build());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(run.failure()).containsInstanceOf(InterruptedException.class);
        assertThat(run.failedCount()).isZero();
        assertNothingIsCommitted(2);
    }

    @Test
    void anInterruptDuringTheFind_letsNoWorkBegin() {
        store.holdUpTo(2);
        AtomicInteger works = new AtomicInteger();
        Transactor interrupting = new Transactor() {
            private final Transactor real = Transactor.of(store.dataSource());

            @Override
            public <T> T inTransaction(Work<T> work) throws Exception {
                T found = real.inTransaction(work);
                Thread.currentThread().interrupt();
                return found;
            }
        };

        PickupStore.run(published(store.source().transactor(interrupting)
                .expireBatch((tx, batch) -> works.incrementAndGet())).build());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(works).hasValue(0);
        assertNothingIsCommitted(2);
    }

    @Test
    void aSavepointOfTheWork_doesNotUndoTheChangeOfTheStatus() {
        store.holdUpTo(2);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            Savepoint before = tx.setSavepoint();
            PickupOrders.returnStock(tx, batch);
            tx.rollback(before);
            PickupOrders.returnStock(tx, batch);
        })).build());

        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(store.count("EXPIRED")).isEqualTo(2);
        assertThat(store.stock()).isEqualTo(2 * PickupStore.PIECES);
    }

    /** The rest of the work must not be committed alone, in the transaction that follows the one that was rolled back. */
    @Test
    void aRollbackThatTheWorkSwallows_endsTheRun_andNothingIsCommitted() {
        assumeMarksTransactions();
        store.holdUpTo(2);
        AtomicInteger attempts = new AtomicInteger();
        TableExpirationSource<PickupOrder> source = published(store.source()
                .dataSource(Deadlocks.on(store.dataSource()))
                .expireBatch((tx, batch) -> {
                    if (attempts.incrementAndGet() == 1) {
                        try (Statement statement = tx.createStatement()) {
                            statement.executeUpdate(Deadlocks.DEADLOCK);
                        } catch (SQLException swallowed) {
                            assertThat(swallowed.getSQLState()).isEqualTo("40001");
                        }
                    }
                    PickupOrders.returnStock(tx, batch);
                })).build();

        SourceRun run = PickupStore.run(source);

        assertThat(run.failure().orElseThrow()).hasMessageContaining("ended while its work ran");
        assertNothingIsCommitted(2);
        assertThat(PickupStore.run(source).processedCount()).isEqualTo(2);
        assertThat(store.stock()).isEqualTo(2 * PickupStore.PIECES);
    }

    /** On PostgreSQL such a statement spoils the transaction, and the commit is refused. */
    @Test
    void aFailureThatTheWorkSwallows_leavesNothingHalfDone() {
        store.holdUpTo(2);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            try (Statement statement = tx.createStatement()) {
                statement.executeUpdate("UPDATE no_such_table SET available = 1");
            } catch (SQLException swallowed) {
                assertThat(swallowed.getMessage()).isNotNull();
            }
        })).build());

        assertThat(run.failure()).isEmpty();
        assertThat(store.count("EXPIRED")).isEqualTo(kind == Databases.POSTGRESQL ? 0 : 2);
        assertThat(store.stock()).isEqualTo(store.count("EXPIRED") * PickupStore.PIECES);
    }

    /** What ends the transaction. */
    @FunctionalInterface
    private interface End {
        void on(Connection tx) throws SQLException;
    }

    @Test
    void workThatEndsItsTransaction_endsTheRun_evenIfItSwallowsTheRefusal() {
        store.holdUpTo(2);
        Map<String, End> ends = Map.of(
                "commit", Connection::commit,
                "rollback", Connection::rollback,
                "close", Connection::close,
                "setAutoCommit", tx -> tx.setAutoCommit(true));

        ends.forEach((name, end) -> {
            SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
                PickupOrders.returnStock(tx, batch);
                try {
                    end.on(tx);
                } catch (IllegalStateException swallowed) {
                    assertThat(swallowed).isNotNull();
                }
            })).build());

            assertThat(run.failure().orElseThrow()).hasMessageContaining("called " + name + "()");
            assertNothingIsCommitted(2);
        });
    }

    @Test
    void aCommitOnTheConnectionOfAStatement_isNoticed() {
        assumeMarksTransactions();
        store.holdUpTo(2);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            try (Statement statement = tx.createStatement()) {
                statement.getConnection().commit();
            }
        })).build());

        assertThat(run.failure().orElseThrow()).hasMessageContaining("ended while its work ran");
        assertThat(store.stock()).isEqualTo(store.count("EXPIRED") * PickupStore.PIECES);
    }

    private void assumeMarksTransactions() {
        assumeThat(kind.isMySql() || kind == Databases.H2_IN_MEMORY)
                .as("The others do not roll back more than a statement, or accept no more statements")
                .isTrue();
    }

    private void assertNothingIsCommitted(int orders) {
        assertThat(store.count("RESERVED")).isEqualTo(orders);
        assertThat(store.stock()).isZero();
        assertThat(events).isEmpty();
    }
}
