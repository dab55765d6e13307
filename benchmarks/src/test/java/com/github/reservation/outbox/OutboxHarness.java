// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.harness.Comparison;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Measures an outbox on PostgreSQL: how many events one and two instances deliver to a listener that does nothing, and what an event
 * costs beside the change that it tells of.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@outbox}.
 */
public final class OutboxHarness {

    private static final int KEYS = 20_000;
    private static final int APPENDED_AT_ONCE = 1_000;

    /** More than the confirmations of a comparison. */
    private static final int RESERVED_AHEAD = 200_000;

    private static final ClaimToken TOKEN = new ClaimToken("0".repeat(32));

    private static final ClaimConfirmed CONFIRMED = new ClaimConfirmed("res", "name", "1", Instant.EPOCH);

    /** An event as small as events are. */
    private record Moved(int number) {}

    private static final OutboxCodec CODEC = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            return event instanceof Moved moved ? String.valueOf(moved.number()) : "1";
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            return type == Moved.class ? type.cast(new Moved(Integer.parseInt(json))) : type.cast(CONFIRMED);
        }
    };

    private final HikariDataSource pool = new HikariDataSource();
    private final AtomicLong confirmed = new AtomicLong();

    private OutboxHarness(Database database) throws SQLException {
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(16);
        execute(Ddl.of("postgresql-outbox"));
        execute(Ddl.of("postgresql-claims"));
    }

    public static void main(String[] args) throws Exception {
        int events = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        try (PostgresServer server = PostgresServer.start()) {
            OutboxHarness harness = new OutboxHarness(server.newDatabase());
            harness.deliver(events, rounds);
            harness.append(rounds);
            harness.pool.close();
        }
    }

    private void deliver(int events, int rounds) throws Exception {
        rate(1, events / 10);
        double[] one = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            one[round] = rate(1, events);
            ratios[round] = rate(2, events) / one[round];
        }
        int before = 2 * rounds * events;
        double[] later = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            later[round] = rate(1, events) / one[round];
        }
        print("delivery, one instance, events/s", "%,.0f", one);
        print("two instances, compared with one", "%.2f", ratios);
        print(String.format(Locale.ROOT, "one instance after %,d events, compared with before", before), "%.2f", later);
    }

    /** Prints the median, and the least and the greatest. */
    private static void print(String name, String format, double[] values) {
        Arrays.sort(values);
        System.out.printf(Locale.ROOT, "%-60s " + format + " [" + format + ".." + format + "]%n", name,
                values[values.length / 2], values[0], values[values.length - 1]);
    }

    /** Returns the events a second of so many instances. */
    private double rate(int instances, int events) throws Exception {
        CountDownLatch left = new CountDownLatch(events);
        List<Outbox> outboxes = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            Outbox outbox = Outbox.jdbc(pool).codec(CODEC).pollInterval(Duration.ofMillis(10)).build();
            outbox.subscribe("nobody", Moved.class, event -> left.countDown());
            outboxes.add(outbox);
        }
        fill(outboxes.getFirst(), events);
        long start = System.nanoTime();
        outboxes.forEach(Outbox::start);
        left.await();
        double rate = events * 1e9 / (System.nanoTime() - start);
        outboxes.forEach(Outbox::close);
        return rate;
    }

    private void fill(Outbox outbox, int events) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            for (int first = 0; first < events; first += APPENDED_AT_ONCE) {
                outbox.appendAll(connection, IntStream.range(first, Math.min(events, first + APPENDED_AT_ONCE))
                        .mapToObj(i -> new OutboxMessage("key-" + i % KEYS, new Moved(i)))
                        .toList());
                connection.commit();
            }
            connection.setAutoCommit(true);
        }
        execute("VACUUM ANALYZE RESERVATION_OUTBOX");
        execute("VACUUM ANALYZE RESERVATION_OUTBOX_DELIVERIES");
    }

    /**
     * Compares a transaction that confirms a claim with one that also appends an event: without and with notifications, for which
     * another instance listens. A statement that does nothing shows what of that is the round trip.
     */
    private void append(int rounds) throws Exception {
        try (Outbox outbox = Outbox.jdbc(pool).codec(CODEC).build();
                Outbox notifying = Outbox.jdbc(pool).codec(CODEC).notifications(pool).build();
                Outbox listening = Outbox.jdbc(pool).codec(CODEC).notifications(pool).build();
                Claims claims = Claims.jdbc(pool).build()) {
            outbox.subscribe("nobody", ClaimConfirmed.class, event -> {});
            notifying.subscribe("nobody", ClaimConfirmed.class, event -> {});
            listening.subscribe("other", Moved.class, event -> {});
            outbox.deliverNow(); // Registers the listener.
            Comparison.Cycle alone = (thread, number) -> confirm(claims, connection -> {});
            Comparison.Cycle roundTrip = (thread, number) -> confirm(claims, OutboxHarness::doNothing);
            Comparison.Cycle withEvent = (thread, number) -> confirm(claims, confirmed(outbox, number));
            Comparison.Cycle notified = (thread, number) -> confirm(claims, confirmed(notifying, number));
            reserveAhead();
            Comparison.warmUp(1, alone, roundTrip, withEvent, notified);
            Comparison comparison = new Comparison(rounds);
            for (int threads : new int[]{1, 8}) {
                comparison.run("confirm with an event, " + threads + " threads", threads, alone, withEvent,
                        this::reserveAhead);
                comparison.run("confirm with SELECT 1, " + threads + " threads", threads, alone, roundTrip,
                        this::reserveAhead);
                listening.start();
                comparison.run("confirm, event, notifications, " + threads + " threads", threads, alone, notified,
                        this::reserveAhead);
            }
        }
    }

    private static More confirmed(Outbox outbox, long number) {
        return connection -> outbox.append(connection, "key-" + number, CONFIRMED);
    }

    private static void doNothing(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            statement.execute();
        }
    }

    /** Something more in a transaction. */
    @FunctionalInterface
    private interface More {
        void run(Connection connection) throws SQLException;
    }

    private void confirm(Claims claims, More more) throws SQLException {
        String id = "res_%032x".formatted(confirmed.incrementAndGet());
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            if (!(claims.in(connection).confirm(id, TOKEN, "1") instanceof ConfirmResult.Success)) {
                throw new IllegalStateException("Not confirmed");
            }
            more.run(connection);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Reserves the claims that the next round confirms. */
    private void reserveAhead() throws SQLException {
        long first = confirmed.get() + 1;
        execute("""
                INSERT INTO RESERVATION_CLAIMS (reservation_id, claim_key, claim_type, claim_value, status, expires_at,
                    token, version, created_at, updated_at)
                SELECT 'res_' || LPAD(TO_HEX(n), 32, '0'), 'name:' || n, 'name', n, 'reserved', now() + INTERVAL '2 days',
                    '%s', 1, now(), now()
                FROM generate_series(%d, %d) n
                ON CONFLICT DO NOTHING
                """.formatted(TOKEN.value(), first, first + RESERVED_AHEAD));
    }

    private void execute(String script) throws SQLException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(script);
        }
    }
}
