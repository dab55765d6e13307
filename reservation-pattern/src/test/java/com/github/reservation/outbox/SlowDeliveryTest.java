// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.outbox.Step.Taken;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** A delivery that takes longer than its lease. The lease is extended, so nobody else begins it. */
@SideBySide
@Needs(Backend.H2)
class SlowDeliveryTest {

    private static final Duration LEASE = Duration.ofSeconds(5);

    private final JdbcDataSource dataSource = new JdbcDataSource();
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);

    private Outbox instance() {
        Outbox outbox = Outbox.jdbc(dataSource)
                .codec(Step.CODEC)
                .leaseTime(LEASE)
                .pollInterval(Duration.ofMillis(50))
                .build();
        outbox.subscribe("mailer", Taken.class, event -> {
            calls.incrementAndGet();
            goOn.await();
        });
        return outbox;
    }

    @Test
    void isNotRepeatedByAnotherInstance() throws Exception {
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        execute(Ddl.of("h2-outbox"));
        try (Outbox one = instance(); Outbox other = instance(); Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            one.append(connection, "order-1", new Taken(1));
            connection.commit();
            one.start();
            other.start();

            await().until(() -> calls.get() == 1);
            await().during(LEASE.plusSeconds(2)).atMost(LEASE.plusSeconds(10)).until(() -> calls.get() == 1);

            assertThat(one.backlog().pending()).isEqualTo(1);
            goOn.countDown();
            await().until(() -> one.backlog().pending() == 0);
            assertThat(calls).hasValue(1);
        }
    }

    private void execute(String script) throws SQLException {
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(script);
        }
    }
}
