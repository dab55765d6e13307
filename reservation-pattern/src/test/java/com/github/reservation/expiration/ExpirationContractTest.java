// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.demo.PickupOrders.ReservationExpired;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the decision on pickup orders promises, on every database. */
@SideBySide
class ExpirationContractTest extends OnPickupStore {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final PickupOrder ONE = new PickupOrder(1, "store-1", "user-1", 1, PickupStore.PIECES);

    @Test
    void eligibleOnlyReservePickupReservedAndHoldExpiresAtNotAfterNow() {
        store.hold("RESERVE_PICKUP", "RESERVED", HOUR, 1);
        store.hold("RESERVE_PICKUP", "RESERVED", Duration.ofMillis(1), 2);
        store.hold("RESERVE_PICKUP", "RESERVED", HOUR.negated(), 3);
        store.hold("DELIVERY", "RESERVED", HOUR, 4);

        SourceRun run = PickupStore.run(source());

        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(expiredOrders()).containsExactlyInAnyOrder("1", "2");
        assertThat(store.status(3)).isEqualTo("RESERVED");
        assertThat(store.status(4)).isEqualTo("RESERVED");
    }

    @Test
    void expiredOrder_becomesEXPIRED_andStockReturned() {
        store.hold(1);

        PickupStore.run(source());

        assertThat(store.status(1)).isEqualTo("EXPIRED");
        assertThat(store.stock(1)).isEqualTo(PickupStore.PIECES);
        assertThat(store.query("SELECT version FROM pickup_orders")).isEqualTo("2");
    }

    @Test
    void completedCancelledExpired_noAction() {
        store.hold("RESERVE_PICKUP", "COMPLETED", HOUR, 1);
        store.hold("RESERVE_PICKUP", "CANCELLED", HOUR, 2);
        store.hold("RESERVE_PICKUP", "EXPIRED", HOUR, 3);

        SourceRun run = PickupStore.run(source());

        assertThat(run.processedCount()).isZero();
        assertThat(store.status(1)).isEqualTo("COMPLETED");
        assertThat(store.status(2)).isEqualTo("CANCELLED");
        assertThat(store.stock()).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void stockReleasedExactlyOnce_withTwoInstances() {
        int orders = 400;
        store.holdUpTo(orders);

        try (Actor one = new Actor("one"); Actor other = new Actor("other")) {
            List<Future<SourceRun>> runs =
                    List.of(one.starts(this::runSmallBatches), other.starts(this::runSmallBatches));
            long processed = runs.stream().map(Actor::result).mapToLong(SourceRun::processedCount).sum();

            assertThat(processed).isEqualTo(orders);
        }
        assertThat(store.count("EXPIRED")).isEqualTo(orders);
        assertThat(store.stock()).isEqualTo((long) orders * PickupStore.PIECES);
        assertThat(expiredOrders()).hasSize(orders).doesNotHaveDuplicates();
    }

    private SourceRun runSmallBatches() {
        SourceRun run =
                PickupStore.run(published(store.source().batchSize(20).expireBatch(PickupOrders::returnStock)).build());
        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).isEmpty();
        return run;
    }

    @Test
    void runTwice_isIdempotent() {
        store.holdUpTo(3);
        TableExpirationSource<PickupOrder> source = source();

        PickupStore.run(source);
        SourceRun second = PickupStore.run(source);

        assertThat(second.processedCount()).isZero();
        assertThat(store.stock()).isEqualTo(3 * PickupStore.PIECES);
        assertThat(events).hasSize(3);
    }

    @Test
    void failingReservation_isRolledBackCountedAndOthersProceed() {
        store.holdUpTo(5);

        SourceRun run = PickupStore.run(failingOn(3));

        assertThat(run.processedCount()).isEqualTo(4);
        assertThat(run.failedCount()).isEqualTo(1);
        assertThat(run.setAsideCount()).isEqualTo(1);
        assertThat(run.failedRows()).singleElement().satisfies(failed -> {
            assertThat(failed.row()).isEqualTo("3");
            assertThat(failed.attempts()).isEqualTo(1);
            assertThat(failed.cause()).hasMessage("poison");
        });
        assertThat(store.status(3)).isEqualTo("RESERVED");
        assertThat(store.stock(3)).isZero();
        assertThat(store.stock()).isEqualTo(4 * PickupStore.PIECES);
    }

    /** It fails after its stock was returned: the rollback must take that back. */
    private TableExpirationSource<PickupOrder> failingOn(long... orders) {
        return published(store.source().batchSize(5).expireBatch((tx, batch) -> {
            PickupOrders.returnStock(tx, batch);
            if (batch.rows().stream().anyMatch(order -> contains(orders, order))) {
                throw new IllegalStateException("poison");
            }
        })).build();
    }

    private static boolean contains(long[] orders, PickupOrder order) {
        return Arrays.stream(orders).anyMatch(id -> id == order.orderId());
    }

    @Test
    void failedRowStaysEligibleForNextRun() {
        store.holdUpTo(2);
        AtomicBoolean broken = new AtomicBoolean(true);
        TableExpirationSource<PickupOrder> source = store.source().expireRow((tx, order) -> {
            if (order.orderId() == 2 && broken.get()) {
                throw new IllegalStateException("poison");
            }
        }).build();
        assertThat(PickupStore.run(source).failedCount()).isEqualTo(1);

        broken.set(false);
        SourceRun second = PickupStore.run(source);

        assertThat(second.processedCount()).isEqualTo(1);
        assertThat(second.setAsideCount()).isZero();
        assertThat(store.status(2)).isEqualTo("EXPIRED");
    }

    @Test
    void poisonRowsDoNotStarveLaterRows() {
        store.holdUpTo(30);
        long[] oldest = IntStream.rangeClosed(1, 12).asLongStream().toArray();

        SourceRun run = PickupStore.run(failingOn(oldest));

        assertThat(run.failedCount()).isEqualTo(12);
        assertThat(run.processedCount()).isEqualTo(18);
        assertThat(store.count("RESERVED")).isEqualTo(12);
        assertThat(store.stock()).isEqualTo(18L * PickupStore.PIECES);
    }

    @Test
    void eventPublishedAfterCommitOnly() {
        store.holdUpTo(2);
        List<String> seen = new ArrayList<>();
        // On another connection, which sees only what is committed.
        publisher.on(
                ReservationExpired.class, event -> seen.add(store.status(Long.parseLong(event.orderId()))));

        PickupStore.run(source());

        assertThat(seen).containsExactly("EXPIRED", "EXPIRED");
    }

    @Test
    void rolledBackExpiration_publishesNothing() {
        store.hold(1);

        PickupStore.run(failingOn(1));

        assertThat(store.status(1)).isEqualTo("RESERVED");
        assertThat(events).isEmpty();
    }

    @Test
    void failingListener_leavesReservationExpired_andOtherListenersRun() {
        store.holdUpTo(2);
        ApplicationEvents failing = ApplicationEvents.create();
        List<String> heard = new ArrayList<>();
        failing.on(ReservationExpired.class, event -> {
            throw new IllegalStateException("no mail today");
        });
        failing.on(ReservationExpired.class, event -> heard.add(event.orderId()));

        SourceRun run = PickupStore.run(store.source().publish(failing, (order, at) -> event(order, at)).build());

        assertThat(run.processedCount()).isEqualTo(2);
        assertThat(run.failedCount()).isZero();
        assertThat(heard).containsExactly("1", "2");
        assertThat(store.count("EXPIRED")).isEqualTo(2);
    }

    private static ReservationExpired event(PickupOrder order, Instant at) {
        return new ReservationExpired(String.valueOf(order.orderId()), order.storeId(), order.userId(), at);
    }

    @Test
    void eventCarriesOrderIdStoreIdUserIdExpiredAt() {
        store.hold(1);

        PickupStore.run(source());

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event).isEqualTo(event(ONE, event.expiredAt()));
            assertThat(event.expiredAt()).isBetween(
                    Instant.now().minus(1, ChronoUnit.MINUTES), Instant.now().plus(1, ChronoUnit.MINUTES));
        });
    }

    @Test
    void runReportsProcessedFailedDuration_asMetricsAndLog() {
        store.holdUpTo(5);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (LoggedLines log = new LoggedLines("pickup-orders: 4 expired, 1 failed, 1 set aside, ");
                ExpirationJob job =
                        ExpirationJob.builder().source(failingOn(3)).meterRegistry(registry).build()) {
            ExpirationRun run = job.runOnce();

            assertThat(run.processedCount()).isEqualTo(4);
            assertThat(run.failedCount()).isEqualTo(1);
            assertThat(run.durationMs()).isEqualTo(run.sources().getFirst().duration().toMillis());
            assertThat(job.lastRun()).contains(run);
            assertThat(counter(registry, "processed_count")).isEqualTo(4);
            assertThat(counter(registry, "failed_count")).isEqualTo(1);
            assertThat(registry.get("reservation.expiration.duration_ms").tag("source", "pickup-orders").summary()
                    .totalAmount()).isEqualTo(run.durationMs());
            assertThat(gauge(registry, "set_aside")).isEqualTo(1);
            assertThat(gauge(registry, "lag")).isBetween(3600.0, 3700.0);
            assertThat(log.lines()).hasSize(1);
        }
        assertThat(registry.find("reservation.expiration.lag").gauge()).isNull();
    }

    private static double counter(SimpleMeterRegistry registry, String name) {
        return registry.get("reservation.expiration." + name).tag("source", "pickup-orders").counter().count();
    }

    private static double gauge(SimpleMeterRegistry registry, String name) {
        return registry.get("reservation.expiration." + name).tag("source", "pickup-orders").gauge().value();
    }

    @Test
    void schedulerSurvivesThrowingRun() {
        store.hold(1);
        AtomicInteger readings = new AtomicInteger();
        Transactor failingTwice = new Transactor() {
            private final Transactor real = Transactor.of(store.dataSource());

            @Override
            public <T> T inTransaction(Work<T> work) throws Exception {
                if (readings.incrementAndGet() <= 2) {
                    throw new SQLException("The network is down", "08001");
                }
                return real.inTransaction(work);
            }
        };

        try (ExpirationJob job = ExpirationJob.builder()
                .source(store.source().transactor(failingTwice).build(), Duration.ofMillis(20))
                .build()) {
            job.start();

            await().untilAsserted(() -> assertThat(store.status(1)).isEqualTo("EXPIRED"));
            await().until(() -> job.lastRun().orElseThrow().sources().getFirst().failure().isEmpty());
        }
        assertThat(readings).hasValueGreaterThan(2);
    }

    /** The work of the first run is held while others want to run. They would find the rows of the second batch. */
    @Test
    void runsDoNotOverlap() throws InterruptedException {
        store.holdUpTo(8);
        CountDownLatch inWork = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger batches = new AtomicInteger();
        TableExpirationSource<PickupOrder> source = store.source().batchSize(4).expireBatch((tx, batch) -> {
            batches.incrementAndGet();
            inWork.countDown();
            mayEnd.await();
        }).build();

        try (ExpirationJob job = ExpirationJob.builder().source(source).build();
                Actor one = new Actor("one");
                Actor other = new Actor("other")) {
            job.start();
            inWork.await();
            List<Future<ExpirationRun>> runs =
                    List.of(one.startsAndWaits(job::runOnce), other.startsAndWaits(job::runOnce));
            int meanwhile = batches.get();
            mayEnd.countDown();
            runs.forEach(Actor::result);

            assertThat(meanwhile).isEqualTo(1);
        }

        assertThat(store.count("EXPIRED")).isEqualTo(8);
        assertThat(batches).hasValue(2);
    }

    @Test
    void compositeIndexExists() throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Connection connection = store.database().connect()) {
            String table = kind.isH2() ? "PICKUP_ORDERS" : "pickup_orders";
            String catalog = connection.getCatalog();
            try (ResultSet index = connection.getMetaData().getIndexInfo(catalog, null, table, false, true)) {
                while (index.next()) {
                    if ("ix_pickup_orders_due".equalsIgnoreCase(index.getString("INDEX_NAME"))) {
                        columns.add(index.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
                    }
                }
            }
        }

        assertThat(columns).containsExactly("order_type", "status", "hold_expires_at", "order_id");
    }
}
