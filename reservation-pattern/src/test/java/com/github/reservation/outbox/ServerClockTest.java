// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.lock.ShiftedClock;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.github.reservation.outbox.Step.Taken;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the JVM is an hour off. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class ServerClockTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void anEventThatFailedOnceArrivesAfterItsPause(int hours) throws Exception {
        List<Integer> attempts = new CopyOnWriteArrayList<>();
        try (TestDatabase database = ShiftedClock.postgreSql(directory, Duration.ofHours(hours))) {
            OutboxTables.install(database);
            HikariDataSource pool = database.pool(4);
            try (Outbox outbox = Outbox.jdbc(pool)
                    .codec(Step.CODEC)
                    .pollInterval(Duration.ofMillis(20))
                    .pauses(Duration.ofMillis(50), Duration.ofMillis(50))
                    .build()) {
                outbox.subscribe("mailer", Taken.class, (Taken event, Delivery delivery) -> {
                    attempts.add(delivery.attempt());
                    if (delivery.attempt() == 1) {
                        throw new IllegalStateException("once");
                    }
                });
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    outbox.append(connection, "order-1", new Taken(1));
                    connection.commit();
                    connection.setAutoCommit(true);
                }

                outbox.start();

                await().until(() -> database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX").equals("0"));
                assertThat(attempts).containsExactly(1, 2);
            }
        }
    }
}
