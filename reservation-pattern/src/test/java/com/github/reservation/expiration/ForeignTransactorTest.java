// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Transactions of a framework: the work executes statements that do not go through the connection that it gets, and what fails in
 * between can doom the transaction, as in Spring.
 */
@SideBySide
class ForeignTransactorTest extends OnPickupStore {

    /** Transactions that know their connection, as a framework does. One that is doomed cannot be committed. */
    private final class Framework implements Transactor {

        private final Transactor real = Transactor.of(store.dataSource());
        private Connection current;
        private boolean doomed;

        @Override
        public <T> T inTransaction(Work<T> work) throws Exception {
            return real.inTransaction(tx -> {
                current = tx;
                doomed = false;
                T result = work.run(tx);
                if (doomed) {
                    throw new IllegalStateException("poison");
                }
                return result;
            });
        }
    }

    private Framework framework;

    @BeforeEach
    void begin() {
        framework = new Framework();
        store.holdUpTo(100);
    }

    @Test
    void aRowThatIsRejected_leavesNoWorkBehind_whetherTheWorkThrowsOrReturns() {
        for (boolean throwing : new boolean[]{true, false}) {
            store.install().holdUpTo(100);
            events.clear();

            assertOnlyOrder42IsLeft(run(store.source().expireBatch((tx, batch) -> {
                PickupOrders.returnStock(framework.current, batch);
                for (PickupOrder order : batch.rows()) {
                    if (order.orderId() == 42) {
                        IllegalStateException poison = new IllegalStateException("poison");
                        batch.reject(order, poison);
                        if (throwing) {
                            throw poison;
                        }
                    }
                }
            })));
        }
    }

    @Test
    void workForOneRowThatThrows_leavesNoWorkBehind() {
        assertOnlyOrder42IsLeft(run(store.source().expireRow((tx, order) -> {
            returnStock(order);
            if (order.orderId() == 42) {
                throw new IllegalStateException("poison");
            }
        })));
    }

    @Test
    void aStatementThatFailsForOneRow_leavesNoRowWithoutItsWork() {
        assertOnlyOrder42IsLeft(run(store.source().expireRow((tx, order) -> {
            if (order.orderId() == 42) {
                throw new IllegalStateException("poison", new SQLException("refused"));
            }
            returnStock(order);
        })));
    }

    /** Each half must be a new transaction: nothing saves a doomed one. */
    @Test
    void workThatDoomsItsTransaction_isFoundInTransactionsOfTheirOwn() {
        assertOnlyOrder42IsLeft(run(store.source().expireBatch((tx, batch) -> {
            PickupOrders.returnStock(framework.current, batch);
            if (batch.rows().stream().anyMatch(order -> order.orderId() == 42)) {
                framework.doomed = true;
                throw new IllegalStateException("poison");
            }
        })));
    }

    /** Spring does so if the work catches what a service has thrown, and JPA if it finds out at the end that an entity is invalid. */
    @Test
    void workThatDoomsItsTransactionAndReturns_isFoundInTransactionsOfTheirOwn() {
        assertOnlyOrder42IsLeft(run(store.source().expireRow((tx, order) -> {
            returnStock(order);
            framework.doomed |= order.orderId() == 42;
        })));
    }

    private SourceRun run(TableExpirationSourceBuilder<PickupOrder> source) {
        return PickupStore.run(published(source.transactor(framework)).build());
    }

    private void returnStock(PickupOrder order) throws SQLException {
        try (Statement update = framework.current.createStatement()) {
            update.executeUpdate("UPDATE stock SET available = available + " + order.quantity() + " WHERE item_id = "
                    + order.itemId());
        }
    }
}
