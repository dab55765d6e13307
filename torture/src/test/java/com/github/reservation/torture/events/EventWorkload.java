// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import com.github.reservation.ReservationException;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxMessage;
import com.github.reservation.torture.Tables;
import com.github.reservation.torture.Transactions;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.worker.Setting;
import com.github.reservation.torture.worker.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/**
 * Transactions append events of some keys, a few of each, and each worker delivers to two listeners: one is quick, the other is slow or fails now
 * and then. A row for each key counts its events, and gives overlapping transactions their order.
 */
public final class EventWorkload implements Workload {

    static final String EVENTS = "RESERVATION_OUTBOX";
    static final List<String> LISTENERS = List.of("quick", "slow");

    private static final int KEYS = 60;
    private static final int KEYS_OF_A_TRANSACTION = 3;
    private static final int EVENTS_OF_A_KEY = 6;
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(400);
    private static final Duration LONGEST_DELIVERY = Duration.ofMillis(300);

    private final DataSource dataSource;
    private final Journal journal;
    private final Outbox outbox;

    public EventWorkload(Setting setting) {
        dataSource = setting.dataSource().orElseThrow();
        journal = setting.journal();
        outbox = Outboxes.open(setting, EVENTS, new StepCodec());
        LISTENERS.forEach(listener -> outbox.subscribe(
                listener, Step.class, (Step step, Delivery delivery) -> receive(listener, step, delivery)));
        outbox.start();
    }

    /** Creates the tables anew. */
    public static void install(DataSource dataSource, String ddl) {
        Tables.dropOutbox(dataSource, EVENTS);
        JdbcBackend.execute(dataSource, """
                DROP TABLE IF EXISTS torture_sequence;
                CREATE TABLE torture_sequence (event_key VARCHAR(20) NOT NULL PRIMARY KEY, last_step BIGINT NOT NULL);
                """ + Ddl.of(ddl + "-outbox"));
        StringBuilder keys = new StringBuilder();
        for (int key = 0; key < KEYS; key++) {
            keys.append("INSERT INTO torture_sequence VALUES ('key-%d', 0);".formatted(key));
        }
        JdbcBackend.execute(dataSource, keys.toString());
    }

    private void receive(String listener, Step step, Delivery delivery) throws InterruptedException {
        journal.calls("deliver", listener + '/' + delivery.key(), "step", step.number(), "event", delivery.id(),
                "attempt", delivery.attempt());
        RandomGenerator random = ThreadLocalRandom.current();
        boolean isSlow = listener.equals("slow") && random.nextInt(20) == 0;
        if (isSlow) {
            Thread.sleep(random.nextLong(LONGEST_DELIVERY.toMillis()));
        }
        if (listener.equals("slow") && random.nextInt(200) == 0) {
            journal.returns("threw");
            throw new IllegalStateException("This listener fails now and then");
        }
        journal.returns("received");
    }

    @Override
    public int threads() {
        return 2;
    }

    @Override
    public void once(RandomGenerator random) {
        LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE.toNanos()));
        // All transactions change the rows of their keys in one order, so that they do not deadlock.
        Map<String, Integer> events = new TreeMap<>();
        for (int i = random.nextInt(KEYS_OF_A_TRANSACTION); i >= 0; i--) {
            events.put("key-" + random.nextInt(KEYS), random.nextInt(EVENTS_OF_A_KEY) + 1);
        }
        boolean givesUp = random.nextInt(20) == 0;
        journal.calls("append", "-", "events", events.values().stream().mapToInt(Integer::intValue).sum());
        try {
            boolean committed = Transactions.run(dataSource, connection -> {
                append(connection, events);
                return !givesUp;
            });
            journal.returns(committed ? "committed" : "rolled-back");
        } catch (SQLException | ReservationException e) {
            journal.returns("failed", "why", e.getClass().getSimpleName());
        }
    }

    private void append(Connection connection, Map<String, Integer> events) throws SQLException {
        List<OutboxMessage> messages = new ArrayList<>();
        for (Map.Entry<String, Integer> some : events.entrySet()) {
            long last = take(connection, some.getKey(), some.getValue());
            for (long step = last - some.getValue() + 1; step <= last; step++) {
                messages.add(new OutboxMessage(some.getKey(), new Step(step)));
            }
        }
        outbox.appendAll(connection, messages);
    }

    /** Takes the next numbers of a key, and locks its row; returns the last one. */
    private static long take(Connection connection, String key, int numbers) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE torture_sequence SET last_step = last_step + ? WHERE event_key = ?");
                PreparedStatement select = connection.prepareStatement(
                        "SELECT last_step FROM torture_sequence WHERE event_key = ?")) {
            update.setInt(1, numbers);
            update.setString(2, key);
            update.executeUpdate();
            select.setString(1, key);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Delivers until nothing waits any more. */
    @Override
    public void close() throws InterruptedException {
        try {
            Transactions.awaitNone(dataSource, "SELECT COUNT(*) FROM " + EVENTS + "_DELIVERIES");
        } finally {
            outbox.close();
        }
    }
}
