// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.JdbcClaimsBuilder;
import com.github.reservation.demo.PickupOrders;
import com.github.reservation.demo.PickupOrders.PickupOrder;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Compares the expiration of orders on PostgreSQL with one statement that somebody wrote by hand for exactly this: status and stock
 * of 500 orders at once. Each round runs all ways one after another, each on a fresh table, so that whatever else the machine does
 * hits all of them; what counts are the ratios inside a round.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@expiration}.
 */
public final class ExpirationHarness {

    private static final int ROWS = Integer.getInteger("rows", 200_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final int MILLION = 1_000_000;
    private static final int STEP = 100_000;

    /**
     * A way to expire the rows.
     *
     * @param limit the name of the way that it is compared with
     * @param share which part of the rows it gets, because some ways are slow
     * @param fill puts so many rows into the tables
     */
    private record Way(String limit, int share, String fill, Callable<?> run) {

        private Way(String limit, int share, Callable<?> run) {
            this(limit, share, ExpirationSql.FILL_ORDERS, run);
        }
    }

    /** Writes orders as JSON by hand; nobody reads them. */
    private static final OutboxCodec CODEC = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            if (!(event instanceof PickupOrder order)) {
                return "{}";
            }
            return "{\"orderId\":" + order.orderId() + ",\"storeId\":\"" + order.storeId() + "\",\"userId\":\""
                    + order.userId() + "\"}";
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            throw new UnsupportedOperationException(json);
        }
    };

    private final Sweep sweep;
    private final Outbox outbox;

    private ExpirationHarness(Sweep sweep) throws SQLException {
        this.sweep = sweep;
        this.outbox = Outbox.jdbc(sweep.pool()).codec(CODEC).build();
        outbox.subscribe("orders", PickupOrder.class, event -> {});
        outbox.subscribe("claims", ClaimEvent.class, event -> {});
        sweep.execute(Ddl.of("postgresql-outbox"));
        sweep.execute(Ddl.of("postgresql-claims"));
    }

    public static void main(String[] args) throws Exception {
        try (PostgresServer server = PostgresServer.start(); Sweep sweep = new Sweep(server.newDatabase())) {
            ExpirationHarness harness = new ExpirationHarness(sweep);
            if (args.length > 0 && args[0].equals("million")) {
                harness.measureHeap();
            } else {
                harness.compare();
            }
        }
    }

    private void compare() throws Exception {
        Map<String, Way> ways = ways();
        Map<String, double[]> rates = new LinkedHashMap<>();
        ways.keySet().forEach(name -> rates.put(name, new double[ROUNDS]));
        for (Way way : ways.values()) {
            rate(way, ROWS / 10); // Until the JVM has compiled it.
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Map.Entry<String, Way> way : ways.entrySet()) {
                rates.get(way.getKey())[round] = rate(way.getValue(), ROWS);
                System.err.printf(
                        Locale.ROOT, "%d %s: %,.0f rows/s%n", round, way.getKey(), rates.get(way.getKey())[round]);
            }
        }
        System.out.printf("%,d rows, batches of %d, %d rounds: median of the ratios [least..greatest]%n", ROWS,
                Sweep.BATCH,
                ROUNDS);
        ways.forEach((name, way) -> print(name, way.limit, rates.get(name), rates.get(way.limit)));
    }

    private static void print(String name, String limit, double[] rates, double[] limits) {
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            ratios[round] = rates[round] / limits[round];
        }
        Arrays.sort(ratios);
        double[] sorted = rates.clone();
        Arrays.sort(sorted);
        System.out.printf(Locale.ROOT, "%-44s %.2f [%.2f..%.2f] of %-22s %,.0f rows/s%n", name, ratios[ROUNDS / 2],
                ratios[0], ratios[ROUNDS - 1], limit, sorted[ROUNDS / 2]);
    }

    private Map<String, Way> ways() {
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("by hand", new Way("by hand", 1, () -> sweep.byHand(ExpirationSql.BY_HAND)));
        ways.put("batch",
                new Way("by hand", 1, () -> Sweep.run(sweep.source().expireBatch(PickupOrders::returnStock))));
        ways.put("batch, stock in one statement",
                new Way("by hand", 1,
                        () -> Sweep.run(sweep.source().expireBatch(ExpirationHarness::returnStockAtOnce))));
        ways.put("batch, stock in one statement, with an outbox", new Way("by hand", 1, () -> Sweep.run(sweep.source()
                .publish(outbox, order -> "order-" + order.orderId(), (order, at) -> order)
                .expireBatch(ExpirationHarness::returnStockAtOnce))));
        ways.put("batch with an outbox", new Way("by hand", 1, () -> Sweep.run(sweep.source()
                .publish(outbox, order -> "order-" + order.orderId(), (order, at) -> order)
                .expireBatch(PickupOrders::returnStock))));
        ways.put("status by hand", new Way("status by hand", 1, () -> sweep.byHand(ExpirationSql.STATE_BY_HAND)));
        ways.put("no work", new Way("status by hand", 1, () -> Sweep.run(sweep.source())));
        ways.put("claims by hand", new Way(
                "claims by hand", 1, ExpirationSql.FILL_CLAIMS, () -> sweep.byHand(ExpirationSql.CLAIMS_BY_HAND)));
        ways.put("claims",
                new Way("claims by hand", 1, ExpirationSql.FILL_CLAIMS, () -> runClaims(Claims.jdbc(sweep.pool()))));
        ways.put("claims with an outbox", new Way("claims by hand", 1, ExpirationSql.FILL_CLAIMS,
                () -> runClaims(Claims.jdbc(sweep.pool()).outbox(outbox))));
        ways.put("two instances", new Way("batch", 1, this::twoInstances));
        ways.put("1 % rejected before a statement",
                new Way("batch", 1, () -> Sweep.run(sweep.source().expireBatch(ExpirationHarness::rejectFirst))));
        ways.put("1 % named and thrown before a statement",
                new Way("batch", 1, () -> Sweep.run(sweep.source().expireBatch(ExpirationHarness::throwFirst))));
        ways.put("1 % rejected after the statements",
                new Way("batch", 1, () -> Sweep.run(sweep.source().expireBatch(ExpirationHarness::rejectLate))));
        ways.put("1 % refused by the database",
                new Way("batch", 4, () -> Sweep.run(sweep.source().expireBatch(ExpirationHarness::refused))));
        ways.put("row by row",
                new Way("batch", 4, () -> Sweep.run(sweep.source().expireRow(ExpirationHarness::returnStock))));
        return ways;
    }

    private double rate(Way way, int rows) throws Exception {
        int share = rows / way.share;
        sweep.execute("TRUNCATE RESERVATION_OUTBOX, RESERVATION_OUTBOX_DELIVERIES");
        sweep.execute(way.fill.formatted(share));
        long start = System.nanoTime();
        way.run.call();
        return share * 1e9 / (System.nanoTime() - start);
    }

    private static SourceRun runClaims(JdbcClaimsBuilder builder) {
        try (Claims claims = builder.build()) {
            return PickupStore.run(ExpirationSource.of(claims));
        }
    }

    private List<SourceRun> twoInstances() throws Exception {
        List<SourceRun> runs = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Callable<SourceRun> instance = () -> Sweep.run(sweep.source().expireBatch(PickupOrders::returnStock));
            for (Future<SourceRun> run : threads.invokeAll(List.of(instance, instance))) {
                runs.add(run.get());
            }
        }
        if (runs.stream().anyMatch(run -> run.failedCount() > 0)) {
            throw new IllegalStateException("Rows failed: " + runs);
        }
        return runs;
    }

    private static boolean isPoison(PickupOrder order) {
        return order.orderId() % 100 == 42;
    }

    private static void rejectFirst(Connection tx, ExpirationBatch<PickupOrder> batch) throws SQLException {
        List<PickupOrder> accepted = new ArrayList<>();
        for (PickupOrder order : batch.rows()) {
            if (isPoison(order)) {
                batch.reject(order, new IllegalStateException("poison"));
            } else {
                accepted.add(order);
            }
        }
        PickupOrders.returnStock(tx, new Accepted(batch, accepted));
    }

    /** Throws at the first such order; the library calls again without it. */
    private static void throwFirst(Connection tx, ExpirationBatch<PickupOrder> batch) throws SQLException {
        for (PickupOrder order : batch.rows()) {
            if (isPoison(order)) {
                IllegalStateException poison = new IllegalStateException("poison");
                batch.reject(order, poison);
                throw poison;
            }
        }
        PickupOrders.returnStock(tx, batch);
    }

    private static void rejectLate(Connection tx, ExpirationBatch<PickupOrder> batch) throws SQLException {
        PickupOrders.returnStock(tx, batch);
        batch.rows().stream().filter(ExpirationHarness::isPoison)
                .forEach(order -> batch.reject(order, new IllegalStateException("poison")));
    }

    /** The database refuses an update, and the exception does not say of which order. */
    private static void refused(Connection tx, ExpirationBatch<PickupOrder> batch) throws SQLException {
        List<PickupOrder> orders = batch.rows().stream()
                .map(order -> isPoison(order)
                        ? new PickupOrder(order.orderId(), order.storeId(), order.userId(), order.itemId(), -1_000_000)
                        : order)
                .toList();
        PickupOrders.returnStock(tx, new Accepted(batch, orders));
    }

    /** As the statement by hand does it: the sums as arrays, the items locked in their order. */
    private static void returnStockAtOnce(Connection tx, ExpirationBatch<PickupOrder> batch) throws SQLException {
        Map<Long, Integer> back = new TreeMap<>();
        batch.rows().forEach(order -> back.merge(order.itemId(), order.quantity(), Integer::sum));
        try (PreparedStatement update = tx.prepareStatement(ExpirationSql.STOCK_AT_ONCE)) {
            update.setArray(1, tx.createArrayOf("bigint", back.keySet().toArray()));
            update.setArray(2, tx.createArrayOf("integer", back.values().toArray()));
            update.executeUpdate();
        }
    }

    private static void returnStock(Connection tx, PickupOrder order) throws SQLException {
        try (PreparedStatement update =
                tx.prepareStatement("UPDATE stock SET available = available + ? WHERE item_id = ?")) {
            update.setInt(1, order.quantity());
            update.setLong(2, order.itemId());
            update.executeUpdate();
        }
    }

    /** A batch with other rows. */
    private record Accepted(ExpirationBatch<PickupOrder> batch, List<PickupOrder> rows)
            implements ExpirationBatch<PickupOrder> {

        @Override
        public Instant expiredAt() {
            return batch.expiredAt();
        }

        @Override
        public void reject(PickupOrder row, Throwable cause) {
            batch.reject(row, cause);
        }
    }

    /** Prints the time and the heap after each hundred thousand rows, and how much both differ. */
    private void measureHeap() throws SQLException {
        sweep.fill(MILLION);
        List<Double> heaps = new ArrayList<>();
        List<Double> seconds = new ArrayList<>(List.of(0.0));
        long start = System.nanoTime();
        try (ExpirationJob job = ExpirationJob.builder()
                .source(sweep.source().expireBatch(PickupOrders::returnStock).build())
                .onProgress(run -> {
                    if (run.processedCount() % STEP == 0) {
                        System.gc();
                        heaps.add((Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1e6);
                        seconds.add((System.nanoTime() - start) / 1e9);
                        System.out.printf(Locale.ROOT, "%,9d rows, %.1f s, %.1f MB%n", run.processedCount(),
                                seconds.getLast(), heaps.getLast());
                    }
                })
                .build()) {
            job.runOnce();
        }
        double[] steps =
                IntStream.range(1, seconds.size()).mapToDouble(i -> seconds.get(i) - seconds.get(i - 1)).toArray();
        System.out.printf(Locale.ROOT, "heap: last %.2f of first [%.1f..%.1f MB]%n", heaps.getLast() / heaps.getFirst(),
                heaps.stream().min(Double::compare).orElseThrow(), heaps.stream().max(Double::compare).orElseThrow());
        System.out.printf(Locale.ROOT, "time of %,d rows: last %.2f of first [%.1f..%.1f s]%n", STEP,
                steps[steps.length - 1] / steps[0], Arrays.stream(steps).min().orElseThrow(),
                Arrays.stream(steps).max().orElseThrow());
    }
}
