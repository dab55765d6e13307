// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.outbox.Step.Taken;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Connections break all the time, while events are appended and delivered by two instances. */
@SideBySide
class KilledConnectionsTest extends OnOutbox {

    private static final int KEYS = 30;
    private static final int WRITERS = 4;
    private static final Duration TIME = Duration.ofSeconds(8);
    private static final Duration KILL_EVERY = Duration.ofMillis(60);

    /** By key: what arrived, in the order of the first deliveries. */
    private final Map<String, Set<Integer>> seen = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final List<String> overlaps = new CopyOnWriteArrayList<>();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private final AtomicInteger killed = new AtomicInteger();

    /** Is slow and fails at random. */
    private void receive(Taken event, Delivery delivery) {
        AtomicInteger inside = running.computeIfAbsent(delivery.key(), key -> new AtomicInteger());
        try {
            if (inside.incrementAndGet() > 1) {
                overlaps.add(delivery.key());
            }
            int random = ThreadLocalRandom.current().nextInt(1_000);
            if (random < 10) {
                LockSupport.parkNanos(Duration.ofMillis(random == 0 ? 1_200 : 120).toNanos());
            } else if (random < 60) {
                failed.incrementAndGet();
                throw new IllegalStateException("at random");
            }
            seen.get(delivery.key()).add(event.number());
        } finally {
            inside.decrementAndGet();
        }
    }

    /** Appends the next number of a key, under the lock of its row. Some transactions roll back. */
    private void appendNext(int key) {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE counters SET n = n + 1 WHERE id = " + key);
                try (ResultSet row = statement.executeQuery("SELECT n FROM counters WHERE id = " + key)) {
                    row.next();
                    outbox.append(connection, "key-" + key, new Taken(row.getInt(1)));
                }
                if (ThreadLocalRandom.current().nextInt(10) > 0) {
                    connection.commit();
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException | RuntimeException e) {
            broken.incrementAndGet();
        }
    }

    /** Ends a connection of the pool that is in a transaction, or in a statement. */
    private void kill(Statement statement) throws SQLException {
        String victims = kind.isMySql()
                ? "SELECT id FROM information_schema.processlist p WHERE db = DATABASE() AND id <> CONNECTION_ID()"
                        + " AND (command <> 'Sleep' OR EXISTS (SELECT 1 FROM information_schema.innodb_trx t"
                        + " WHERE t.trx_mysql_thread_id = p.id)) ORDER BY RAND() LIMIT 1"
                : "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        + " AND state <> 'idle' ORDER BY RANDOM() LIMIT 1";
        List<Long> victim = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(victims)) {
            while (rows.next()) {
                victim.add(rows.getLong(1));
            }
        }
        for (long id : victim) {
            try {
                statement.execute(kind.isMySql() ? "KILL " + id : "SELECT pg_terminate_backend(" + id + ")");
                killed.incrementAndGet();
            } catch (SQLException e) {
                // It has ended meanwhile.
            }
        }
    }

    private void disturb() throws Exception {
        List<Actor> actors = IntStream.range(0, WRITERS).mapToObj(i -> new Actor("writer-" + i)).toList();
        long end = System.nanoTime() + TIME.toNanos();
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            List<Future<?>> writers = new ArrayList<>();
            for (Actor actor : actors) {
                writers.add(actor.starts(() -> {
                    while (System.nanoTime() - end < 0) {
                        appendNext(ThreadLocalRandom.current().nextInt(KEYS));
                        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
                    }
                }));
            }
            while (System.nanoTime() - end < 0) {
                kill(statement);
                LockSupport.parkNanos(KILL_EVERY.toNanos());
            }
            writers.forEach(Actor::result);
        } finally {
            actors.forEach(Actor::close);
        }
    }

    @Test
    void eachCommittedEventArrives_inOrderAndOneOfAKeyAtATime_andNothingIsLeft() throws Exception {
        assumeFalse(kind.isH2(), "H2 has no connections to kill");
        database.execute("DROP TABLE IF EXISTS counters");
        database.execute("CREATE TABLE counters (id INT NOT NULL PRIMARY KEY, n INT NOT NULL)");
        for (int key = 0; key < KEYS; key++) {
            database.execute("INSERT INTO counters VALUES (" + key + ", 0)");
            seen.put("key-" + key, Collections.synchronizedSet(new LinkedHashSet<>()));
        }
        for (Outbox instance : List.of(outbox, build(builder()))) {
            instance.subscribe(LISTENER, Taken.class, this::receive);
            instance.start();
        }

        disturb();

        await().atMost(Duration.ofSeconds(60)).until(() -> records() == 0);
        assertThat(killed).hasValueGreaterThan(20);
        assertThat(broken).hasPositiveValue();
        assertThat(overlaps).isEmpty();
        for (int key = 0; key < KEYS; key++) {
            int last = Integer.parseInt(database.query("SELECT n FROM counters WHERE id = " + key));
            assertThat(seen.get("key-" + key)).as("key-" + key)
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, last).boxed().toList());
        }
        JdbcOutbox store = new JdbcOutbox(
                new SqlTable(pool, Optional.empty(), JdbcOutbox.DEFAULT_EVENTS, Duration.ofSeconds(5), JdbcOutbox.DDL),
                Optional.empty());
        assertThat(store.purge()).as("whether there is more to look at").isFalse();
        assertThat(rows()).isZero();
    }
}
