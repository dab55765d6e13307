// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.TableExpirationSourceBuilder;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.outbox.Step.Taken;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process that dies by SIGKILL after its commit: what it appended arrives elsewhere. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class KilledProcessTest {

    private static final int EVENTS = 20;

    private final Database place = PostgresServer.shared().newDatabase();
    private final TestDatabase database =
            new TestDatabase(Databases.POSTGRESQL, place.url(), place.user(), place.password());
    private final HikariDataSource pool = database.pool(4);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void whatWasCommittedArrivesAfterARestart_alsoWhatWasBeingDelivered() {
        OutboxTables.install(database);
        try (ChildJvm child = child(Child.class)) {
            assertThat(child.answer()).isEqualTo("committed");
            assertThat(child.answer()).isEqualTo("delivering");
            child.kill();
        }

        Set<Long> ids = ConcurrentHashMap.newKeySet();
        List<Integer> arrived = new ArrayList<>();
        try (Outbox outbox = outbox(pool)) {
            outbox.subscribe("mailer", Taken.class, (Taken event, Delivery delivery) -> {
                if (ids.add(delivery.id())) {
                    arrived.add(event.number());
                }
            });
            outbox.start();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX").equals("0"));
        }
        assertThat(arrived).hasSize(EVENTS).isSorted();
    }

    /** It dies in the middle of its third batch, before it has delivered anything. */
    @Test
    void whatAJobExpiredBeforeItsProcessDied_isToldOnceForEachRow() {
        OutboxTables.install(database);
        database.execute("CREATE TABLE holds (id INT PRIMARY KEY, state VARCHAR(9), ends TIMESTAMP(6));"
                + " INSERT INTO holds SELECT id, 'HELD', TIMESTAMP '2020-01-01 00:00:00' FROM generate_series(1, 20) id");
        try (ChildJvm child = child(JobChild.class)) {
            assertThat(child.answer()).isEqualTo("working");
            child.kill();
        }
        assertThat(database.query("SELECT COUNT(*) FROM holds WHERE state = 'ENDED'")).isEqualTo("10");
        assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX")).isEqualTo("10");

        List<Integer> arrived = new CopyOnWriteArrayList<>();
        try (Outbox outbox = outbox(pool);
                ExpirationJob job = ExpirationJob.builder().source(holds(pool, outbox).build()).build()) {
            outbox.subscribe("mailer", Taken.class, event -> arrived.add(event.number()));
            await().until(() -> { // As soon as the database has noticed that the process is gone.
                job.runOnce();
                return database.query("SELECT COUNT(*) FROM holds WHERE state = 'HELD'").equals("0");
            });
            assertThat(outbox.deliverNow()).isEqualTo(20);
        }
        assertThat(arrived).hasSize(20).doesNotHaveDuplicates();
    }

    private static TableExpirationSourceBuilder<Integer> holds(HikariDataSource pool, Outbox outbox) {
        return TableExpirationSource.builder("holds", row -> row.getInt("id"))
                .dataSource(pool)
                .table("holds")
                .key("id")
                .status("state", "HELD", "ENDED")
                .expiresAt("ends")
                .batchSize(5)
                .publish(outbox, id -> "hold-" + id, (id, at) -> new Taken(id));
    }

    private static Outbox outbox(HikariDataSource pool) {
        return Outbox.jdbc(pool)
                .codec(Step.CODEC)
                .workers(1)
                .pollInterval(Duration.ofMillis(50))
                .leaseTime(Duration.ofSeconds(5))
                .build();
    }

    private ChildJvm child(Class<?> main) {
        List<String> arguments = new ArrayList<>(ChildJvm.SMALL);
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(), place.url(),
                place.user(), place.password()));
        return new ChildJvm(ChildJvm.newDirectory(), arguments);
    }

    /** Appends events, and delivers the first one for ever. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws Exception {
            HikariDataSource pool = new TestDatabase(Databases.POSTGRESQL, args[0], args[1], args[2]).pool(4);
            Outbox outbox = outbox(pool);
            outbox.subscribe("mailer", Taken.class, event -> {
                System.out.println("delivering");
                new CountDownLatch(1).await();
            });
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                for (int i = 0; i < EVENTS; i++) {
                    outbox.append(connection, "order-1", new Taken(i));
                }
                connection.commit();
            }
            System.out.println("committed");
            outbox.start();
            new CountDownLatch(1).await(); // The threads of the outbox do not keep a JVM alive.
        }
    }

    /** Expires rows, and stops in the third batch. */
    static final class JobChild {

        private JobChild() {}

        public static void main(String[] args) {
            HikariDataSource pool = new TestDatabase(Databases.POSTGRESQL, args[0], args[1], args[2]).pool(4);
            AtomicInteger batches = new AtomicInteger();
            Outbox outbox = outbox(pool);
            outbox.subscribe("mailer", Taken.class, event -> {});
            TableExpirationSource<Integer> holds = holds(pool, outbox).expireBatch((tx, batch) -> {
                if (batches.incrementAndGet() == 3) {
                    System.out.println("working");
                    new CountDownLatch(1).await();
                }
            }).build();
            try (ExpirationJob job = ExpirationJob.builder().source(holds).build()) {
                job.runOnce();
            }
        }
    }
}
