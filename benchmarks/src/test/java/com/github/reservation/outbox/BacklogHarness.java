// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Measures an outbox whose tables are full: what a look for events costs, how fast events arrive beside a million of others, and how long a
 * key waits beside a backlog of another one in the same lane. On PostgreSQL and MariaDB.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@backlog}.
 */
public final class BacklogHarness {

    private static final int MILLION = 1_048_576;
    private static final int PARKED = 50_000;
    private static final int LOOKS = 300;

    /** An event as small as events are. */
    private record Moved(int number) {}

    private static final OutboxCodec CODEC = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            return String.valueOf(((Moved) event).number());
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            return type.cast(new Moved(Integer.parseInt(json)));
        }
    };

    private final HikariDataSource pool = new HikariDataSource();
    private final String kind;

    private BacklogHarness(String kind, Database database) {
        this.kind = kind;
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(16);
    }

    public static void main(String[] args) throws Exception {
        int events = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        try (PostgresServer server = PostgresServer.start()) {
            new BacklogHarness("postgresql", server.newDatabase()).run(events, rounds);
        }
        try (MariaDbServer server = MariaDbServer.start()) {
            new BacklogHarness("mariadb", server.newDatabase()).run(events, rounds);
        }
    }

    private void run(int events, int rounds) throws Exception {
        execute(Ddl.of(kind + "-outbox"));
        waitOfAColdKey(rounds);
        rate(events); // Warms up.
        double[] alone = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            alone[round] = rate(events);
        }
        look("empty tables");
        fill("reader");
        look("1,000,000 due in 17 lanes");
        park("reader");
        look("the same, and 50,000 parked");
        double[] beside = new double[rounds];
        fill("other");
        park("nobody");
        for (int round = 0; round < rounds; round++) {
            beside[round] = rate(events) / median(alone);
        }
        print("delivery, events/s", "%,.0f", alone);
        print("the same beside 2,000,000 of others and parked ones, ratio", "%.2f", beside);
        pool.close();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private void print(String name, String format, double[] values) {
        Arrays.sort(values);
        System.out.printf(Locale.ROOT, "%-11s %-60s " + format + " [" + format + ".." + format + "]%n", kind, name,
                median(values), values[0], values[values.length - 1]);
    }

    /** Measures the two statements of a look that finds what is there. */
    private void look(String name) throws Exception {
        OutboxStore store = new JdbcOutbox(
                SqlTable.of(pool, null, JdbcOutbox.DEFAULT_EVENTS, Duration.ofSeconds(10), JdbcOutbox.DDL),
                Optional.empty());
        double[] millis = new double[LOOKS];
        for (int i = -LOOKS; i < LOOKS; i++) {
            long start = System.nanoTime();
            store.nextKeys("reader", 16);
            store.nextLane("reader", 0);
            if (i >= 0) {
                millis[i] = (System.nanoTime() - start) / 1e6;
            }
        }
        print("a look, ms: " + name, "%.2f", millis);
    }

    /** Lets a million events wait for a listener, in 17 lanes. */
    private void fill(String listener) throws SQLException {
        String before = "SELECT COALESCE(MAX(id), 0) FROM RESERVATION_OUTBOX";
        long last = number(before);
        execute("INSERT INTO RESERVATION_OUTBOX (event_key, event_type, payload, created_at)"
                + " VALUES ('k', 'moved', '1', CURRENT_TIMESTAMP)");
        for (int rows = 1; rows < MILLION; rows *= 2) {
            execute("INSERT INTO RESERVATION_OUTBOX (event_key, event_type, payload, created_at)"
                    + " SELECT event_key, event_type, payload, created_at FROM RESERVATION_OUTBOX WHERE id > " + last);
        }
        execute("INSERT INTO RESERVATION_OUTBOX_DELIVERIES (event_id, listener_id, lane, key_id, bytes) SELECT id, '"
                + listener + "', MOD(id, 17), CONCAT('key-', MOD(id, 20)), 1 FROM RESERVATION_OUTBOX WHERE id > "
                + last);
        analyze();
    }

    /** Parks the keys of some events, each in a lane of its own. */
    private void park(String listener) throws SQLException {
        execute("INSERT INTO RESERVATION_OUTBOX_KEYS"
                + " (listener_id, key_id, lane, head, attempts, owner, due_at, wait_micros, last_error)"
                + " SELECT '" + listener + "', CONCAT('parked-', id), -id, id, 9, '-', NULL, 0, 'broken'"
                + " FROM RESERVATION_OUTBOX ORDER BY id LIMIT " + PARKED);
        execute("INSERT INTO RESERVATION_OUTBOX_DELIVERIES (event_id, listener_id, lane, key_id, bytes)"
                + " SELECT head, CONCAT(listener_id, ''), lane, key_id, 1 FROM RESERVATION_OUTBOX_KEYS"
                + " WHERE listener_id = '" + listener
                + "' AND NOT EXISTS (SELECT 1 FROM RESERVATION_OUTBOX_DELIVERIES d"
                + " WHERE d.event_id = head AND d.listener_id = RESERVATION_OUTBOX_KEYS.listener_id)");
        execute("UPDATE RESERVATION_OUTBOX_DELIVERIES SET lane = -event_id WHERE listener_id = '" + listener
                + "' AND event_id IN (SELECT head FROM RESERVATION_OUTBOX_KEYS WHERE listener_id = '" + listener
                + "')");
        analyze();
    }

    private void analyze() throws SQLException {
        for (String table : List.of("", "_DELIVERIES", "_KEYS")) {
            execute((kind.equals("mariadb") ? "ANALYZE TABLE" : "VACUUM ANALYZE") + " RESERVATION_OUTBOX" + table);
        }
    }

    /** Returns how many events a second one instance delivers to the listener "nobody". */
    private double rate(int events) throws Exception {
        CountDownLatch left = new CountDownLatch(events);
        try (Outbox outbox = Outbox.jdbc(pool).codec(CODEC).pollInterval(Duration.ofMillis(10)).build()) {
            outbox.subscribe("nobody", Moved.class, event -> left.countDown());
            append(outbox, events);
            long start = System.nanoTime();
            outbox.start();
            left.await();
            return events * 1e9 / (System.nanoTime() - start);
        }
    }

    private void append(Outbox outbox, int events) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            for (int first = 0; first < events; first += 1_000) {
                outbox.appendAll(connection, IntStream.range(first, Math.min(events, first + 1_000))
                        .mapToObj(i -> new OutboxMessage("key-" + i % 20_000, new Moved(i)))
                        .toList());
                connection.commit();
            }
            connection.setAutoCommit(true);
        }
    }

    /** Prints how long an event waits behind 10,000 of another key of the same lane, with a listener that takes 5 ms. */
    private void waitOfAColdKey(int rounds) throws Exception {
        double[] seconds = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            execute("DELETE FROM RESERVATION_OUTBOX_DELIVERIES");
            execute("DELETE FROM RESERVATION_OUTBOX_KEYS");
            execute("DELETE FROM RESERVATION_OUTBOX");
            seconds[round] = waitOfAColdKey("hot-" + round);
        }
        print("a cold key beside a hot one, s", "%.2f", seconds);
    }

    private double waitOfAColdKey(String hot) throws Exception {
        int lane = KeyIds.laneOf(KeyIds.of(hot));
        String cold = IntStream.range(0, 100_000).mapToObj(i -> "cold-" + i)
                .filter(key -> KeyIds.laneOf(KeyIds.of(key)) == lane).findFirst().orElseThrow();
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicLong at = new AtomicLong();
        try (Outbox outbox = Outbox.jdbc(pool).codec(CODEC).build()) {
            outbox.subscribe("nobody", Moved.class, (Moved event, Delivery delivery) -> {
                if (delivery.key().equals(cold)) {
                    at.set(System.nanoTime());
                    arrived.countDown();
                }
                Thread.sleep(5);
            });
            List<OutboxMessage> messages = new ArrayList<>();
            IntStream.range(0, 10_000).forEach(i -> messages.add(new OutboxMessage(hot, new Moved(i))));
            messages.add(new OutboxMessage(cold, new Moved(0)));
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                outbox.appendAll(connection, messages);
                connection.commit();
                connection.setAutoCommit(true);
            }
            long start = System.nanoTime();
            outbox.start();
            arrived.await();
            return (at.get() - start) / 1e9;
        }
    }

    private long number(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void execute(String script) throws SQLException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            for (String one : kind.equals("mariadb") ? script.split(";\n") : new String[]{script}) {
                if (!one.isBlank()) {
                    statement.execute(one);
                }
            }
        }
    }
}
