// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import com.github.reservation.Ticker;
import com.github.reservation.internal.outbox.OutboxMeters;
import com.github.reservation.internal.outbox.OutboxPlan;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.StoreOutbox;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.torture.planted.Planted;
import com.github.reservation.torture.worker.Setting;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Opens outboxes as the builder of the library does, and with a planted bug in front of the store. */
public final class Outboxes {

    /** A worker stands still for at most half of it, so that it keeps what it delivers. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MEGABYTE = 1024 * 1024;

    private Outboxes() {}

    /**
     * Opens an outbox.
     *
     * @param events the name of the table of events
     */
    public static Outbox open(Setting setting, String events, OutboxCodec codec) {
        DataSource dataSource = setting.dataSource().orElseThrow();
        OutboxStore store = new JdbcOutbox(
                SqlTable.of(dataSource, null, new TableName(events), QUERY_TIMEOUT, JdbcOutbox.DDL), Optional.empty());
        return new StoreOutbox(new OutboxPlan(
                setting.planted().map(bug -> broken(bug, store, dataSource)).orElse(store),
                codec,
                new OutboxPlan.Retry(FIRST_PAUSE, LONGEST_PAUSE, Duration.ofDays(1)),
                8,
                8 * MEGABYTE,
                8 * MEGABYTE,
                new OutboxPlan.Absence(Duration.ofDays(7), false),
                POLL,
                LEASE,
                Ticker.system(),
                OutboxMeters.NONE));
    }

    private static OutboxStore broken(Planted bug, OutboxStore store, DataSource dataSource) {
        return BrokenOutboxStore.with(bug, store, dataSource);
    }
}
