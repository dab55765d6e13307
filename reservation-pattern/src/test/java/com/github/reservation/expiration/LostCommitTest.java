// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The transaction fails at its end, or the thread is interrupted in the middle. */
@SideBySide
class LostCommitTest extends OnPickupStore {

    /** What goes wrong with the second transaction of a run, which is the first batch. */
    private enum Fault {
        REPLY_LOST, LOST_WITH_ORACLES_INSTANCE, NOT_COMMITTED, REFUSED, REFUSED_BY_ORACLES_TRIGGER
    }

    /** Transactions of which one goes wrong. */
    private final class FaultyTransactor implements Transactor {

        private final Transactor real = Transactor.of(store.dataSource());
        private final Fault fault;
        private int transactions;

        FaultyTransactor(Fault fault) {
            this.fault = fault;
        }

        @Override
        public <T> T inTransaction(Work<T> work) throws Exception {
            if (++transactions != 2) {
                return real.inTransaction(work);
            }
            return switch (fault) {
                case REPLY_LOST -> lose(work, new SQLException("The connection broke", "08006"));
                case LOST_WITH_ORACLES_INSTANCE -> lose(work, new SQLException("The instance ended", "72000", 1_092));
                case NOT_COMMITTED -> real.inTransaction(tx -> {
                    work.run(tx);
                    throw new SQLException("The connection broke", "08006");
                });
                case REFUSED -> refuse(work, new SQLException("A constraint that is checked at the commit", "23514"));
                case REFUSED_BY_ORACLES_TRIGGER -> refuse(work, new SQLException("Not this row", "72000", 20_001));
            };
        }

        private <T> T lose(Work<T> work, SQLException failure) throws Exception {
            real.inTransaction(work);
            throw failure;
        }

        private <T> T refuse(Work<T> work, SQLException refusal) throws Exception {
            return real.inTransaction(tx -> {
                work.run(tx);
                throw refusal;
            });
        }
    }

    private TableExpirationSource<PickupOrder> source(Fault fault) {
        store.holdUpTo(4);
        return published(store.source()
                .transactor(new FaultyTransactor(fault))
                .expireBatch(PickupOrders::returnStock)).build();
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "LOST_WITH_ORACLES_INSTANCE"})
    void commitWhoseReplyIsLost_endsTheRun_andNothingHappensTwice(Fault fault) {
        TableExpirationSource<PickupOrder> source = source(fault);

        assertThat(PickupStore.run(source).failure().orElseThrow())
                .hasMessageStartingWith("It is not known whether a batch was committed");
        assertThat(PickupStore.run(source).processedCount()).isZero();

        assertThat(store.count("EXPIRED")).isEqualTo(4);
        assertThat(store.stock()).isEqualTo(4 * PickupStore.PIECES);
        assertThat(events).as("at most once").isEmpty();
    }

    @Test
    void commitThatDidNotHappen_endsTheRun_andTheNextRunExpiresTheRows() {
        TableExpirationSource<PickupOrder> source = source(Fault.NOT_COMMITTED);

        assertThat(PickupStore.run(source).failure()).isPresent();
        assertThat(PickupStore.run(source).processedCount()).isEqualTo(4);

        assertThat(store.stock()).isEqualTo(4 * PickupStore.PIECES);
        assertThat(events).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "REFUSED_BY_ORACLES_TRIGGER"})
    void commitThatIsRefused_isTriedAgainInHalves(Fault fault) {
        SourceRun run = PickupStore.run(source(fault));

        assertThat(run.failure()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(4);
        assertThat(store.stock()).isEqualTo(4 * PickupStore.PIECES);
        assertThat(events).hasSize(4);
    }

    @Test
    void anInterruptInTheWork_rollsBackAndEndsTheRun() {
        store.holdUpTo(4);

        SourceRun run = PickupStore.run(published(store.source().expireRow((tx, order) -> {
            if (order.orderId() == 2) {
                Thread.currentThread().interrupt();
                Thread.sleep(Duration.ofMinutes(1));
            }
        })).build());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(run.failure()).containsInstanceOf(InterruptedException.class);
        assertThat(run.failedCount()).isZero();
        assertThat(store.count("RESERVED")).isEqualTo(4);
        assertThat(events).isEmpty();
    }
}
