// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.history.WrittenHistory;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventAuditTest {

    private final WrittenHistory calls = new WrittenHistory();
    private DataSource dataSource;

    @BeforeEach
    void install() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        dataSource = h2;
        EventWorkload.install(dataSource, "h2");
        commit(1);
        calls.call("worker-1", 0, 10, "deliver quick/key-0 received step=1")
                .call("worker-1", 0, 10, "deliver slow/key-0 received step=1");
    }

    private void commit(int steps) {
        JdbcBackend.execute(dataSource,
                "UPDATE torture_sequence SET last_step = " + steps + " WHERE event_key = 'key-0'");
    }

    private void breaks(String rule) {
        assertThat(EventAudit.of(dataSource, calls.history()).findings()).extracting(Finding::rule)
                .containsOnly(rule);
    }

    @Test
    void acceptsThatAllHasArrived() {
        assertThat(EventAudit.of(dataSource, calls.history()).findings()).isEmpty();
    }

    @Test
    void findsAnEventThatHasNotArrived() {
        commit(2);
        breaks("outbox-delivered");
    }

    @Test
    void findsAnEventThatWasRolledBack() {
        commit(0);
        breaks("outbox-committed");
    }

    @Test
    void findsADeliveryThatIsLeft() {
        JdbcBackend.execute(dataSource, """
                INSERT INTO RESERVATION_OUTBOX_DELIVERIES (event_id, listener_id, lane, key_id, bytes)
                VALUES (7, 'quick', 1, 'x', 1)
                """);
        breaks("outbox-left");
    }
}
