// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.outbox.Step.Taken;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Connections break all the time, while events are appended and delivered by two instances. */
@SideBySide
class KilledConnectionsTest extends OnBreakingConnections {

    private static final int KEYS = 30;
    private static final int WRITERS = 4;

    /** By key: what arrived, in the order of the first deliveries. */
    private final Map<String, Set<Integer>> seen = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final List<String> overlaps = new CopyOnWriteArrayList<>();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();

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

    @Test
    void eachCommittedEventArrives_inOrderAndOneOfAKeyAtATime_andNothingIsLeft() throws Exception {
        database.execute("DROP TABLE IF EXISTS counters");
        database.execute("CREATE TABLE counters (id INT NOT NULL PRIMARY KEY, n INT NOT NULL)");
        for (int key = 0; key < KEYS; key++) {
            database.execute("INSERT INTO counters VALUES (" + key + ", 0)");
            seen.put("key-" + key, Collections.synchronizedSet(new LinkedHashSet<>()));
        }
        // No instance dies. A shorter lease may end while its renewals are killed.
        outbox = build(builder().leaseTime(Duration.ofSeconds(30)));
        for (Outbox instance : List.of(outbox, build(builder().leaseTime(Duration.ofSeconds(30))))) {
            instance.subscribe(LISTENER, Taken.class, this::receive);
            instance.start();
        }

        disturb(WRITERS, () -> appendNext(ThreadLocalRandom.current().nextInt(KEYS)));

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
