// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.internal.claim.ClaimOutbox;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.torture.Tables;
import com.github.reservation.torture.Transactions;
import com.github.reservation.torture.events.Outboxes;
import com.github.reservation.torture.worker.Setting;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.sql.DataSource;

/** An outbox that gets the ends of claims, in the transactions that notice them. */
final class EndsOutbox implements AutoCloseable {

    private static final String EVENTS = "TORTURE_CLAIM_ENDS";

    private final DataSource dataSource;
    private final Outbox outbox;

    EndsOutbox(Setting setting) {
        dataSource = setting.dataSource().orElseThrow();
        outbox = Outboxes.open(setting, EVENTS, new Codec());
        outbox.subscribe("ends", ClaimExpired.class, (ClaimExpired end, Delivery delivery) -> setting.journal().notes(
                "claim-expired-delivered", end.key(), "at", ClaimWorkload.micros(end.occurredAt()),
                "event", delivery.id()));
        outbox.start();
    }

    static void install(DataSource dataSource, String ddl) {
        Tables.dropOutbox(dataSource, EVENTS);
        JdbcBackend.execute(dataSource, Ddl.of(ddl + "-outbox", EVENTS));
    }

    ClaimOutbox ofClaims() {
        return new ClaimOutbox(outbox, ClaimExpired.class::equals);
    }

    @Override
    public void close() throws InterruptedException {
        try {
            Transactions.awaitNone(dataSource, "SELECT COUNT(*) FROM " + EVENTS + "_DELIVERIES");
        } finally {
            outbox.close();
        }
    }

    private static final class Codec implements OutboxCodec {

        @Override
        public String encode(Object event) {
            ClaimExpired end = (ClaimExpired) event;
            return String.join(" ", end.reservationId(), end.type(), end.key(),
                    String.valueOf(ClaimWorkload.micros(end.occurredAt())));
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            String[] parts = json.split(" ");
            Instant at = Instant.EPOCH.plus(Long.parseLong(parts[3]), ChronoUnit.MICROS);
            return type.cast(new ClaimExpired(parts[0], parts[1], parts[2], Optional.empty(), at));
        }
    }
}
