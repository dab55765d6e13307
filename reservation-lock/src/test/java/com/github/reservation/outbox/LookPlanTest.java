// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.outbox.OutboxStatementsOf;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On PostgreSQL, events that wait for an absent listener do not slow down the looks of another. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class LookPlanTest {

    private static final String FILL = """
            INSERT INTO RESERVATION_OUTBOX (lane, key_id, event_key, event_type, payload, created_at)
            SELECT g % 64, MD5(g::text), g::text, 'absent', '1', now()
            FROM generate_series(1, 20000) g;
            INSERT INTO RESERVATION_OUTBOX_LANES
            SELECT 'mailer', g, '-', TIMESTAMP '1970-01-01'
            FROM generate_series(0, 63) g;
            ANALYZE RESERVATION_OUTBOX, RESERVATION_OUTBOX_LANES, RESERVATION_OUTBOX_DELIVERIES;
            """;

    @TempDir
    private Path directory;

    @Test
    void aLookReadsNoEventOfAnotherType() {
        String sql = OutboxStatementsOf.tables(Dialects.POSTGRESQL)
                .get("find the lanes with an event that is due, with a list of 1, 10, 100 or 500 types")
                .replaceFirst("\\?", "'mailer'")
                .replaceFirst("\\?", "'wanted'")
                .replace("?", "'mailer'");
        try (TestDatabase database = Databases.POSTGRESQL.open(directory)) {
            OnOutbox.install(database);
            database.execute(FILL);

            String plan = database.query("EXPLAIN (ANALYZE, FORMAT JSON) " + sql);

            assertThat(plan).contains("ix_reservation_outbox_type").doesNotContainPattern(
                    "\"Rows Removed by Filter\": [0-9]{3,}");
        }
    }
}
