// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.ReservationExpired;
import com.github.reservation.jdbc.lock.Databases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What tests of expiration start from: empty tables of orders and stock, on one database after another. */
@ParameterizedClass
@EnumSource(names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
abstract class OnPickupStore {

    @Parameter
    protected Databases kind;

    @TempDir
    protected Path directory;

    protected PickupStore store;
    protected final ApplicationEvents publisher = ApplicationEvents.create();
    protected final List<ReservationExpired> events = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() {
        store = new PickupStore(
                kind.isH2() && isImpatient() ? kind.open(directory).with("LOCK_TIMEOUT=300") : kind.open(directory));
        store.install();
        publisher.on(ReservationExpired.class, events::add);
    }

    /** Returns whether a row that a stranger has locked is to be noticed soon on H2. On the others the time limit does it. */
    protected boolean isImpatient() {
        return false;
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Returns a source that returns the stock, and publishes events. */
    protected TableExpirationSource<PickupOrders.PickupOrder> source() {
        return published(store.source().expireBatch(PickupOrders::returnStock)).build();
    }

    protected TableExpirationSourceBuilder<PickupOrders.PickupOrder> published(
            TableExpirationSourceBuilder<PickupOrders.PickupOrder> builder) {
        return builder.publish(publisher, (order, expiredAt) -> new ReservationExpired(
                String.valueOf(order.orderId()), order.storeId(), order.userId(), expiredAt));
    }

    /** Work that fails for order 42, and does not say so. */
    protected static void returnStockUnless42(Connection tx, ExpirationBatch<PickupOrders.PickupOrder> batch)
            throws SQLException {
        PickupOrders.returnStock(tx, batch);
        if (batch.rows().stream().anyMatch(order -> order.orderId() == 42)) {
            throw new IllegalStateException("poison");
        }
    }

    protected List<String> expiredOrders() {
        return events.stream().map(ReservationExpired::orderId).toList();
    }

    /** Asserts that of 100 orders only number 42 has failed, as poison, and that the work of the others is done once. */
    protected final void assertOnlyOrder42IsLeft(SourceRun run) {
        assertOnlyOrder42IsLeft(run, 99);
    }

    protected final void assertOnlyOrder42IsLeft(SourceRun run, int published) {
        assertThat(run.failure()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(99);
        assertThat(run.failedRows()).singleElement().satisfies(failed -> {
            assertThat(failed.row()).isEqualTo("42");
            assertThat(failed.cause()).hasMessage("poison");
        });
        assertThat(store.status(42)).isEqualTo("RESERVED");
        assertThat(store.count("EXPIRED")).isEqualTo(99);
        assertThat(store.stock()).isEqualTo(99 * PickupStore.PIECES);
        assertThat(expiredOrders()).hasSize(published).doesNotContain("42").doesNotHaveDuplicates();
    }
}
