// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.sql.PostgreSqlListener;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.ListeningConnections;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.outbox.Step.Taken;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PostgreSQL wakes an outbox whose next poll is far away. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class OutboxNotificationsTest {

    private static final Duration FAR_AWAY = Duration.ofMinutes(10);

    private final Database place = PostgresServer.shared().newDatabase();
    private final TestDatabase database =
            new TestDatabase(Databases.POSTGRESQL, place.url(), place.user(), place.password());
    private final HikariDataSource pool = database.pool(8);
    private final Outbox appending = build();
    private final Outbox delivering = build();
    private final List<Integer> arrived = new CopyOnWriteArrayList<>();

    private Outbox build() {
        return Outbox.jdbc(pool)
                .codec(Step.CODEC)
                .pollInterval(FAR_AWAY)
                .notifications(pool)
                .build();
    }

    @BeforeEach
    void install() {
        OutboxTables.install(database);
    }

    @AfterEach
    void close() {
        appending.close();
        delivering.close();
        database.close();
    }

    /** Starts the delivery, and waits until it listens, and its listener is known. */
    private void start() {
        delivering.start();
        new ListeningConnections(database).awaitCount(1);
        await().until(() -> database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX_LISTENERS").equals("1"));
    }

    private void append(int number) throws SQLException {
        append("order-" + number, number);
    }

    private void append(String key, int number) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            appending.append(connection, key, new Taken(number));
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    @Test
    void anInstanceThatIsIdleGetsAnEventWithoutAPoll() throws SQLException {
        delivering.subscribe("mailer", Taken.class, event -> arrived.add(event.number()));
        start();

        append(1);

        await().untilAsserted(() -> assertThat(arrived).containsExactly(1));
    }

    @Test
    void anEventThatNoNotificationAnnouncesIsFoundSoonAfterTheOneBefore() throws SQLException {
        delivering.subscribe("mailer", Taken.class, event -> arrived.add(event.number()));
        start();
        append(1);
        await().untilAsserted(() -> assertThat(arrived).containsExactly(1));

        append(2);
        append(3);

        await().untilAsserted(() -> assertThat(arrived).containsExactlyInAnyOrder(1, 2, 3));
    }

    @Test
    void anEventOfAKeyThatIsBeingDeliveredIsFoundAfterwards() throws SQLException {
        CountDownLatch goOn = new CountDownLatch(1);
        delivering.subscribe("mailer", Taken.class, event -> {
            goOn.await();
            arrived.add(event.number());
        });
        start();
        append("order", 1);
        append("order", 2);

        // Meanwhile all looks that the appends have caused find the lane taken.
        await().pollDelay(Duration.ofMillis(500)).until(() -> arrived.isEmpty());
        append("order", 3);
        await().pollDelay(Duration.ofMillis(500)).until(() -> arrived.isEmpty());
        goOn.countDown();

        await().untilAsserted(() -> assertThat(arrived).containsExactly(1, 2, 3));
    }

    @Test
    void anEventIsFoundAsSoonAsABrokenConnectionIsReplaced() throws SQLException {
        ListeningConnections listeners = new ListeningConnections(database);
        delivering.subscribe("mailer", Taken.class, event -> arrived.add(event.number()));
        start();
        append(1);
        await().untilAsserted(() -> assertThat(arrived).containsExactly(1));

        assertThat(listeners.cut()).isOne();
        append(2);

        await().untilAsserted(() -> assertThat(arrived).containsExactly(1, 2));
    }

    @Test
    void manyTransactionsNotifyAFewTimes() throws SQLException {
        AtomicInteger notifications = new AtomicInteger();
        appending.subscribe("mailer", Taken.class, event -> {});
        try (var listening = PostgreSqlListener.subscribe(pool, new PostgreSqlListener.Subscriber() {
            @Override
            public void notified(String payload) {
                notifications.incrementAndGet();
            }

            @Override
            public void missed() {}
        })) {
            await().until(listening::isListening);
            long start = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                append(i);
            }
            long took = System.nanoTime() - start;

            await().until(() -> notifications.get() > 0);
            assertThat(notifications.get() - 1L)
                    .isLessThanOrEqualTo(took / OutboxStore.ANNOUNCED_EVERY.toNanos());
        }
    }

    @Test
    void anOutboxThatIsClosedDoesNotListen() {
        delivering.start();
        ListeningConnections listeners = new ListeningConnections(database);
        listeners.awaitCount(1);

        delivering.close();

        listeners.awaitCount(0);
    }
}
