// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rows that cannot expire: each is set aside and counted, and all others expire. */
@SideBySide
class PoisonTest extends OnPickupStore {

    private final AtomicInteger attempts = new AtomicInteger();

    @Test
    void aRowThatTheWorkRejects_isLeftOutOfTheNextAttempts() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            attempts.incrementAndGet();
            batch.rows().stream().filter(order -> order.orderId() == 42)
                    .forEach(order -> batch.reject(order, new IllegalStateException("poison")));
            PickupOrders.returnStock(tx, batch);
        })).build());

        assertOnlyOrder42IsLeft(run);
        assertThat(attempts).as("the batch, and its halves").hasValue(3);
    }

    @Test
    void aRowThatIsRejectedAfterItsWork_leavesNoWorkBehind() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            batch.rows().stream().filter(order -> order.orderId() == 42)
                    .forEach(order -> batch.reject(order, new IllegalStateException("poison")));
        })).build());

        assertOnlyOrder42IsLeft(run);
    }

    @Test
    void thrownForOneRow_theRestRunsAgainWithoutTheRow() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireRow((tx, order) -> {
            returnStock(tx, order);
            if (order.orderId() == 42) {
                attempts.incrementAndGet();
                throw new IllegalStateException("poison");
            }
        })).build());

        assertOnlyOrder42IsLeft(run);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void thrownForSeveralRows_eachIsSetAside_andTheOthersExpire() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireRow((tx, order) -> {
            if (order.orderId() % 10 == 2) {
                throw new IllegalStateException("poison");
            }
            returnStock(tx, order);
        })).build());

        assertThat(run.failedCount()).isEqualTo(10);
        assertThat(store.count("EXPIRED")).isEqualTo(90);
        assertThat(store.stock()).isEqualTo(90 * PickupStore.PIECES);
    }

    @Test
    void rowsThatFailedBefore_areTriedLastInABatchOfTheirOwn() {
        List<List<Long>> batches = new ArrayList<>();
        TableExpirationSource<PickupOrder> source = store.source().expireBatch((tx, batch) -> {
            batches.add(batch.rows().stream().map(PickupOrder::orderId).toList());
            batch.rows().stream().filter(order -> order.orderId() == 1)
                    .forEach(order -> batch.reject(order, new IllegalStateException("poison")));
        }).build();

        store.hold(1, 2, 3);
        PickupStore.run(source);
        store.hold(4, 5);
        PickupStore.run(source);

        assertThat(batches).containsExactly(
                List.of(1L, 2L, 3L), List.of(2L), List.of(3L), List.of(4L, 5L), List.of(1L));
    }

    /** PostgreSQL refuses all statements after one that failed: the rows behind it are not to blame. */
    @Test
    void aRowWhoseStatementFails_isTheOnlyOneToBlame() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireRow((tx, order) -> {
            returnStock(tx, order);
            if (order.orderId() == 42) {
                failUnnoticed(tx);
                throw new IllegalStateException("poison");
            }
        })).build());

        assertOnlyOrder42IsLeft(run);
    }

    /** The rows behind it must not expire without their work. */
    @Test
    void anSqlExceptionBeforeTheFirstStatement_isAboutOneRow() {
        store.holdUpTo(100);

        SourceRun run = PickupStore.run(published(store.source().expireRow((tx, order) -> {
            if (order.orderId() == 1 || order.orderId() == 42) {
                throwFor(order);
            }
            returnStock(tx, order);
        })).build());

        assertThat(run.failedRows()).extracting(FailedRow::row).containsExactlyInAnyOrder("1", "42");
        assertThat(store.count("EXPIRED")).isEqualTo(98);
        assertThat(store.stock()).isEqualTo(98 * PickupStore.PIECES);
    }

    private static void throwFor(PickupOrder order) throws SQLException {
        throw new SQLException("Another database refused order " + order.orderId());
    }

    private static void failUnnoticed(Connection tx) {
        try (Statement statement = tx.createStatement()) {
            statement.executeUpdate("UPDATE no_such_table SET available = 1");
        } catch (SQLException e) {
            assertThat(e.getMessage()).isNotNull();
        }
    }

    @Test
    void aStatementThatTheDatabaseRefuses_isFound() {
        store.holdUpTo(100);
        store.database().execute("ALTER TABLE stock ADD CONSTRAINT ck_stock CHECK (available < 100)");

        SourceRun run = PickupStore.run(published(store.source().expireBatch((tx, batch) -> {
            returnStockWithout(tx, batch, 42);
            if (batch.rows().stream().anyMatch(order -> order.orderId() == 42)) {
                update(tx, 2, 1_000);
            }
        })).build());

        assertThat(run.failedRows()).singleElement()
                .satisfies(failed -> assertThat(failed.cause()).isInstanceOf(SQLException.class));
        assertThat(store.status(42)).isEqualTo("RESERVED");
        assertThat(store.stock()).isEqualTo(99 * PickupStore.PIECES);
    }

    @Test
    void aRowThatTheDatabaseSilentlyKeeps_isFound() {
        assumeThat(kind).as("Only this one has rules").isEqualTo(Databases.POSTGRESQL);
        store.holdUpTo(100);
        store.database().execute(
                "CREATE RULE keep_42 AS ON UPDATE TO pickup_orders WHERE OLD.order_id = 42 DO INSTEAD NOTHING");

        SourceRun run = PickupStore.run(source());

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).singleElement().satisfies(failed -> {
            assertThat(failed.row()).isEqualTo("42");
            assertThat(failed.cause()).hasMessageContaining(
                    "changed the status of 0 rows for 1 keys. Does a trigger prevent the change?");
        });
        assertThat(store.count("EXPIRED")).isEqualTo(99);
        assertThat(store.stock()).isEqualTo(99 * PickupStore.PIECES);
    }

    @Test
    void aRowThatCannotBeRead_orHasNoEvent_isNotExpired() {
        store.holdUpTo(100);
        RowReader<PickupOrder> reader = row -> {
            if (row.getLong("order_id") == 42) {
                throw new IllegalStateException("poison");
            }
            return PickupOrder.read(row);
        };

        SourceRun unreadable = PickupStore.run(sourceWith(reader).expireBatch(PickupOrders::returnStock).build());
        SourceRun withoutEvent = PickupStore.run(store.source()
                .expireBatch(PickupOrders::returnStock)
                .publish(publisher, (order, at) -> {
                    throw new IllegalStateException("poison");
                })
                .build());

        assertOnlyOrder42IsLeft(unreadable, 0);
        assertThat(withoutEvent.failedCount()).isEqualTo(1);
        assertThat(store.status(42)).isEqualTo("RESERVED");
        assertThat(store.stock()).isEqualTo(99 * PickupStore.PIECES);
    }

    @Test
    void anErrorOfTheReaderOrTheEvent_isAboutTheRow() {
        store.holdUpTo(100);
        RowReader<PickupOrder> reader = row -> {
            if (row.getLong("order_id") == 42) {
                throw new StackOverflowError("poison");
            }
            return PickupOrder.read(row);
        };

        SourceRun unreadable = PickupStore.run(sourceWith(reader).expireBatch(PickupOrders::returnStock).build());
        SourceRun withoutEvent = PickupStore.run(store.source().publish(publisher, (order, at) -> {
            throw new NoClassDefFoundError("poison");
        }).build());

        assertOnlyOrder42IsLeft(unreadable, 0);
        assertThat(withoutEvent.failure()).isEmpty();
        assertThat(withoutEvent.failedCount()).isEqualTo(1);
    }

    @Test
    void aLackOfMemoryInTheReader_endsTheRun() {
        store.hold(1);

        SourceRun run = PickupStore.run(sourceWith(row -> {
            throw new OutOfMemoryError("not about a row");
        }).build());

        assertThat(run.failure()).containsInstanceOf(OutOfMemoryError.class);
        assertThat(run.failedCount()).isZero();
    }

    private TableExpirationSourceBuilder<PickupOrder> sourceWith(RowReader<PickupOrder> reader) {
        return TableExpirationSource.builder("pickup-orders", reader)
                .dataSource(store.dataSource())
                .table("pickup_orders")
                .key("order_id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("hold_expires_at");
    }

    private static void returnStockWithout(Connection tx, ExpirationBatch<PickupOrder> batch, long rejected)
            throws SQLException {
        for (PickupOrder order : batch.rows()) {
            if (order.orderId() != rejected) {
                returnStock(tx, order);
            }
        }
    }

    static void returnStock(Connection tx, PickupOrder order) throws SQLException {
        update(tx, order.itemId(), order.quantity());
    }

    private static void update(Connection tx, long item, int quantity) throws SQLException {
        try (PreparedStatement update =
                tx.prepareStatement("UPDATE stock SET available = available + ? WHERE item_id = ?")) {
            update.setInt(1, quantity);
            update.setLong(2, item);
            update.executeUpdate();
        }
    }
}
