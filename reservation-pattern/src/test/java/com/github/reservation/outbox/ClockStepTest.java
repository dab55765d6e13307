// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.lock.ShiftedClock;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.github.reservation.outbox.Step.Taken;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody sets the clock of the database, or it fails over to a server whose clock differs. */
@Needs(Backend.POSTGRESQL)
class ClockStepTest {

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration BACK = Duration.ofHours(-3);
    private static final Duration FORWARD = Duration.ofMinutes(1);
    private static final String LEASED = "clock_timestamp() AT TIME ZONE 'UTC' + INTERVAL '5 seconds'";

    @TempDir
    private Path directory;

    private TestDatabase database;
    private HikariDataSource pool;
    private final List<Outbox> opened = new ArrayList<>();

    /** What arrived, as {@code instance:number}. */
    private final List<String> arrived = new CopyOnWriteArrayList<>();

    private final CountDownLatch goOn = new CountDownLatch(1);

    @BeforeEach
    void open() {
        database = ShiftedClock.postgreSql(directory, Duration.ZERO);
        OutboxTables.install(database);
        pool = database.pool(8);
    }

    @AfterEach
    void close() {
        goOn.countDown();
        opened.forEach(Outbox::close);
        database.close();
    }

    private Outbox instance(OutboxListener<Taken> listener) {
        Outbox outbox = Outbox.jdbc(pool)
                .codec(Step.CODEC)
                .pollInterval(Duration.ofMillis(20))
                .pauses(Duration.ofMillis(1), Duration.ofMillis(2))
                .leaseTime(LEASE)
                .build();
        opened.add(outbox);
        outbox.subscribe("mailer", Taken.class, listener);
        return outbox;
    }

    private Outbox noting(String name) {
        return instance((event, delivery) -> arrived.add(name + ':' + event.number()));
    }

    private void append(Outbox outbox, String key, int... numbers) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            for (int number : numbers) {
                outbox.append(connection, key, new Taken(number));
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private boolean isEmpty() {
        return database.query("SELECT (SELECT COUNT(*) FROM RESERVATION_OUTBOX)"
                + " + (SELECT COUNT(*) FROM RESERVATION_OUTBOX_DELIVERIES)"
                + " + (SELECT COUNT(*) FROM RESERVATION_OUTBOX_KEYS)").equals("0");
    }

    @Test
    void setBack_sharedLanesOfADeadInstanceAreFreeAtOnce() throws Exception {
        Outbox outbox = noting("one");
        outbox.deliverNow();
        append(outbox, "order-1", 1);
        append(outbox, "order-2", 2);
        database.execute("UPDATE RESERVATION_OUTBOX_LANES SET owner = 'dead', lease_micros = 30000000, leased_until = "
                + LEASED);
        assertThat(outbox.deliverNow()).as("while it is leased").isZero();

        ShiftedClock.set(database, BACK);

        assertThat(outbox.deliverNow()).isEqualTo(2);
        assertThat(arrived).containsExactlyInAnyOrder("one:1", "one:2");
        assertThat(isEmpty()).isTrue();
    }

    /** It is registered every ten seconds. */
    @Test
    void setBack_theOwnLaneOfAKeyIsDueAfterTheNextRegistration() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        Outbox outbox = instance((event, delivery) -> {
            if (down.get()) {
                throw new IllegalStateException("down");
            }
            arrived.add("one:" + event.number());
        });
        append(outbox, "order-1", 1, 2);
        outbox.deliverNow();
        database.execute("UPDATE RESERVATION_OUTBOX_KEYS SET owner = 'dead', wait_micros = 5000000, due_at = "
                + LEASED);
        down.set(false);
        outbox.start();

        ShiftedClock.set(database, BACK);

        await().atMost(Duration.ofSeconds(30)).until(this::isEmpty);
        assertThat(arrived).containsExactly("one:1", "one:2");
    }

    @Test
    void setForward_anotherInstanceMayDeliverTheSameEvent_andTheFirstOneDeliversNoOther() throws Exception {
        Outbox one = instance((event, delivery) -> {
            arrived.add("one begins:" + event.number());
            goOn.await();
            arrived.add("one ends:" + event.number());
        });
        append(one, "order-1", 1, 2, 3);
        one.start();
        await().until(() -> one.list(OutboxQuery.all()).getFirst().failures().size() == 1);
        noting("other").start();

        try (LoggedWarnings warnings = new LoggedWarnings()) {
            AtomicInteger steps = new AtomicInteger(); // The first instance may renew its lease before the other looks.
            await().until(() -> {
                ShiftedClock.set(database, FORWARD.multipliedBy(steps.incrementAndGet()));
                return warnings.texts().stream().anyMatch(text -> text.contains("has lost its lease"));
            });
        }
        await().until(this::isEmpty);
        goOn.countDown();
        await().until(() -> arrived.contains("one ends:1"));
        one.close();

        assertThat(arrived).containsExactly("one begins:1", "other:1", "other:2", "other:3", "one ends:1");
        assertThat(isEmpty()).isTrue();
    }
}
