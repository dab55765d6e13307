// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import com.github.reservation.ReservationException;
import com.github.reservation.expiration.ExpirationBatch;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.torture.Transactions;
import com.github.reservation.torture.events.Outboxes;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.planted.Planted;
import com.github.reservation.torture.worker.Setting;
import com.github.reservation.torture.worker.Workload;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/**
 * Orders hold stock for a second or two. Some are confirmed or cancelled in time. An expiration job in each worker returns the stock of the
 * others, and an outbox tells of them.
 */
public final class StockWorkload implements Workload {

    static final String LISTENER = "shop";

    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
    private static final Duration LONGEST_TTL = Duration.ofSeconds(3);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(400);
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final int ITEMS_OF_A_BATCH = 3;
    private static final int MOST_BATCHES = 50;

    private final DataSource dataSource;
    private final Journal journal;
    private final Outbox outbox;
    private final ExpirationJob job;
    private final ConcurrentLinkedDeque<List<Order>> batches = new ConcurrentLinkedDeque<>();

    public StockWorkload(Setting setting) {
        dataSource = setting.dataSource().orElseThrow();
        journal = setting.journal();
        outbox = Outboxes.open(setting, StockTables.EVENTS, new ExpiredCodec());
        outbox.subscribe(LISTENER, Expired.class, (Expired event, Delivery delivery) -> journal.notes(
                "told", String.valueOf(event.order()), "attempt", delivery.attempt()));
        outbox.start();
        job = ExpirationJob.builder().source(source(setting.planted())).build().start();
    }

    /** Creates the tables anew. */
    public static void install(DataSource dataSource, String ddl) {
        StockTables.install(dataSource, ddl);
    }

    private TableExpirationSource<Order> source(Optional<Planted> bug) {
        return TableExpirationSource.builder("torture-orders", Order::read)
                .dataSource(bug.map(planted -> BrokenExpiration.on(dataSource, planted)).orElse(dataSource))
                .table("torture_orders")
                .key("id")
                .status("status", "RESERVED", "EXPIRED")
                .expiresAt("expires_at")
                .version("version")
                .columns("item", "quantity")
                .batchSize(200)
                .interval(INTERVAL)
                .timeLimit(Duration.ofSeconds(10))
                .expireBatch(StockWorkload::returnStock)
                .publish(outbox, order -> "order-" + order.id(), (order, expiredAt) -> new Expired(order.id()))
                .build();
    }

    private static void returnStock(Connection tx, ExpirationBatch<Order> batch) throws SQLException {
        OrderStatements statements = new OrderStatements(tx);
        statements.note(batch.rows(), "EXPIRED");
        statements.giveBack(batch.rows());
    }

    @Override
    public int threads() {
        return 2;
    }

    @Override
    public void once(RandomGenerator random) throws Exception {
        LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE.toNanos()));
        int draw = random.nextInt(20);
        List<Order> batch = draw < 12 ? List.of() : batches.poll();
        if (batch == null || batch.isEmpty()) {
            reserve(random);
        } else if (draw < 17) {
            confirm(some(batch, random));
        } else {
            cancel(some(batch, random));
        }
    }

    private void reserve(RandomGenerator random) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < ITEMS_OF_A_BATCH; i++) {
            int item = random.nextInt(StockTables.ITEMS);
            for (int order = random.nextInt(5, 15); order > 0; order--) {
                // Not from the seed: a worker that is replaced begins anew with it.
                orders.add(new Order(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), item, random.nextInt(1, 3)));
            }
        }
        Duration ttl = Duration.ofMillis(random.nextLong(SHORTEST_TTL.toMillis(), LONGEST_TTL.toMillis()));
        boolean givesUp = random.nextInt(20) == 0;
        journal.calls("stock-reserve", "-", "orders", orders.size());
        boolean reserved = inTransaction(tx -> {
            tx.insert(orders, ttl);
            return tx.take(orders) && !givesUp;
        });
        if (reserved) {
            batches.add(orders);
            if (batches.size() > MOST_BATCHES) {
                batches.poll();
            }
        }
    }

    /** Takes about half of the orders of a batch. */
    private static List<Order> some(List<Order> batch, RandomGenerator random) {
        return batch.stream().filter(order -> random.nextBoolean()).toList();
    }

    /** Confirms none of what is scarce: that stock would never come back. */
    private void confirm(List<Order> orders) {
        List<Order> plenty = orders.stream().filter(order -> !order.isScarce()).toList();
        if (!plenty.isEmpty()) {
            journal.calls("stock-confirm", "-", "orders", plenty.size());
            inTransaction(tx -> {
                List<Order> locked = tx.lock(plenty);
                if (!locked.isEmpty()) {
                    tx.change(locked, "CONFIRMED");
                }
                return true;
            });
        }
    }

    private void cancel(List<Order> orders) {
        if (!orders.isEmpty()) {
            journal.calls("stock-cancel", "-", "orders", orders.size());
            inTransaction(tx -> {
                List<Order> locked = tx.lock(orders);
                if (!locked.isEmpty()) {
                    tx.change(locked, "CANCELLED");
                    tx.giveBack(locked);
                }
                return true;
            });
        }
    }

    private interface Work {
        boolean isDone(OrderStatements tx) throws SQLException;
    }

    /** Commits if the work says so; returns whether it is committed for certain. */
    private boolean inTransaction(Work work) {
        try {
            boolean committed =
                    Transactions.run(dataSource, connection -> work.isDone(new OrderStatements(connection)));
            journal.returns(committed ? "committed" : "rolled-back");
            return committed;
        } catch (SQLException | ReservationException e) {
            journal.returns("failed", "why", e.getClass().getSimpleName());
            return false;
        }
    }

    /** Goes on with the job until nothing is left for it, and with the outbox until all is told. */
    @Override
    public void close() throws InterruptedException {
        try {
            Transactions.awaitNone(dataSource, "SELECT COUNT(*) FROM torture_orders WHERE status = 'RESERVED'");
            Transactions.awaitNone(dataSource, "SELECT COUNT(*) FROM " + StockTables.EVENTS + "_DELIVERIES");
        } finally {
            job.close();
            outbox.close();
        }
    }
}
