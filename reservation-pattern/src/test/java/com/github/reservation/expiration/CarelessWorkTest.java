// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Registration;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    void aSavepointBeforeTheFirstStatement_doesNotUndoTheChangeOfTheStatus() {
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
    void aDeadlockThatTheWorkSwallows_isTriedAgain() {
        store.holdUpTo(2);
        AtomicInteger attempts = new AtomicInteger();
        SourceRun run = PickupStore.run(published(store.source()
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
                })).build());

        assertThat(run.failure()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(attempts).hasValue(2);
        assertThat(store.count("EXPIRED")).isEqualTo(2);
        assertThat(store.stock()).isEqualTo(2 * PickupStore.PIECES);
    }

    /** How work gets at a connection. */
    @FunctionalInterface
    private interface Way {
        Connection from(Connection tx) throws SQLException;
    }

    @Test
    void everyWayToAConnection_leadsToTheGuardedOne() {
        store.holdUpTo(2);

        assertIsGuarded("a statement", tx -> {
            try (Statement statement = tx.createStatement()) {
                return statement.getConnection();
            }
        });
        assertIsGuarded("a result", tx -> {
            try (PreparedStatement statement = tx.prepareStatement("SELECT available FROM stock");
                    ResultSet result = statement.executeQuery()) {
                return result.getStatement().getConnection();
            }
        });
        assertIsGuarded("metadata", tx -> tx.getMetaData().getConnection());
        assertIsGuarded("unwrap", tx -> tx.unwrap(Connection.class));
        assertIsGuarded("unwrap of a statement", tx -> {
            try (Statement statement = tx.createStatement()) {
                return statement.unwrap(Statement.class).getConnection();
            }
        });
    }

    private void assertIsGuarded(String name, Way way) {
        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            way.from(tx).commit();
        })).build());

        assertThat(run.failure()).as(name).hasValueSatisfying(
                failure -> assertThat(failure).hasMessageContaining("called commit()"));
        assertNothingIsCommitted(2);
    }

    private void assertNothingIsCommitted(int orders) {
        assertThat(store.count("RESERVED")).isEqualTo(orders);
        assertThat(store.stock()).isZero();
        assertThat(events).isEmpty();
    }
}
