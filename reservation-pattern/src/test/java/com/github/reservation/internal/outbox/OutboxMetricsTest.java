// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Registration;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.outbox.OutboxMessage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deliveries are counted by listener, and the backlog is shown. */
class OutboxMetricsTest {

    /** Events are texts. */
    private static final OutboxCodec TEXTS = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            return event.toString();
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            return type.cast(json);
        }
    };

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final JdbcDataSource dataSource = new JdbcDataSource();

    @BeforeEach
    void install() throws SQLException {
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2-outbox"));
        }
    }

    private double count(String name) {
        return registry.get("reservation.outbox." + name)
                .tags("table", "RESERVATION_OUTBOX", "listener", "mailer")
                .counter()
                .count();
    }

    private double gauge(String name) {
        return registry.get("reservation.outbox." + name)
                .tags("table", "RESERVATION_OUTBOX", "listener", "mailer")
                .gauge()
                .value();
    }

    @Test
    void deliveriesAreCounted_andTheBacklogIsShownUntilTheOutboxIsClosed() throws SQLException {
        Outbox outbox = Outbox.jdbc(dataSource).codec(TEXTS).retryFor(Duration.ZERO).meterRegistry(registry).build();
        outbox.subscribe("mailer", String.class, text -> {
            if (text.equals("bad")) {
                throw new IllegalStateException("broken");
            }
        });
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, "one", "good");
            outbox.append(connection, "two", "bad");
            outbox.append(connection, "two", "good");
            outbox.appendAll(connection, List.of(new OutboxMessage("two", 3), new OutboxMessage("three", 4)));
            connection.commit();
        }

        outbox.start();

        await().ignoreException(MeterNotFoundException.class).untilAsserted(() -> {
            assertThat(count("parked")).isOne();
            assertThat(count("delivered")).isOne();
            assertThat(count("failed")).isOne();
        });
        await().ignoreException(MeterNotFoundException.class).untilAsserted(() -> {
            assertThat(gauge("pending") + gauge("parked_now")).isGreaterThan(0);
            assertThat(gauge("oldest")).isNotNegative();
        });
        assertThat(registry.get("reservation.outbox.unwanted").tags("type", "java.lang.Integer").counter().count())
                .isEqualTo(2);
        outbox.close();
        assertThat(registry.find("reservation.outbox.pending").gauge()).isNull();
    }

    @Test
    void theBacklogIsShownWhoeverHasTheListener_untilTheLastOutboxIsClosed() throws SQLException {
        Outbox one = Outbox.jdbc(dataSource).codec(TEXTS).meterRegistry(registry).build();
        Registration mailer = one.subscribe("mailer", String.class, text -> {});
        one.deliverNow();
        mailer.close();
        Outbox other = Outbox.jdbc(dataSource).codec(TEXTS).meterRegistry(registry).build();
        append(one);
        one.start();
        await().ignoreException(MeterNotFoundException.class)
                .untilAsserted(() -> assertThat(gauge("pending")).isOne());
        append(one);
        other.start();
        await().untilAsserted(() -> assertThat(gauge("pending")).isEqualTo(2));

        one.close();

        assertThat(gauge("pending")).isEqualTo(2);
        other.close();
        assertThat(registry.find("reservation.outbox.pending").gauge()).isNull();
    }

    @Test
    void aListenerThatHangsIsShown_untilItReturns() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Outbox outbox = Outbox.jdbc(dataSource).codec(TEXTS).meterRegistry(registry).build();
        outbox.subscribe("mailer", String.class, text -> goOn.await());
        append(outbox);

        outbox.start();

        try {
            await().ignoreException(MeterNotFoundException.class).untilAsserted(() -> assertThat(slow()).isOne());
        } finally {
            goOn.countDown();
        }
        await().untilAsserted(() -> assertThat(slow()).isZero());
        outbox.close();
        assertThat(registry.find("reservation.outbox.slow").gauge()).isNull();
    }

    private void append(Outbox outbox) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, "one", "good");
            connection.commit();
        }
    }

    private double slow() {
        return registry.get("reservation.outbox.slow")
                .tags("table", "RESERVATION_OUTBOX", "listener", "mailer")
                .gauge()
                .value();
    }
}
