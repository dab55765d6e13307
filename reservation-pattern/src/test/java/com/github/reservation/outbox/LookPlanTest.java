// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.outbox.jdbc.OutboxStatementsOf;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL finds the events of a listener among many others, and reads them, without needless work. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class LookPlanTest {

    private static final String FILL = """
            INSERT INTO RESERVATION_OUTBOX (lane, key_id, event_key, event_type, payload, created_at)
            SELECT g %% %d, MD5(g::text), g::text, 'absent', '1', now()
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
            database.execute(FILL.formatted(64));

            String plan = database.query("EXPLAIN (ANALYZE, FORMAT JSON) " + sql);

            assertThat(plan).contains("ix_reservation_outbox_type").doesNotContainPattern(
                    "\"Rows Removed by Filter\": [0-9]{3,}");
        }
    }

    /** A new plan for each page takes PostgreSQL as long as the page. */
    @Test
    void allPagesAreReadByOnePlan() throws SQLException {
        String read = OutboxStatementsOf.tables(Dialects.POSTGRESQL).get("read the events of a lane that are due");
        try (TestDatabase database = Databases.POSTGRESQL.open(directory); Connection connection = database.connect()) {
            OnOutbox.install(database);
            database.execute(FILL.formatted(4));

            for (int page = 0; page < 20; page++) {
                try (PreparedStatement statement = connection.prepareStatement(read)) {
                    for (int i = 1; i <= read.chars().filter(c -> c == '?').count(); i++) {
                        statement.setObject(i, i == 2 ? page % 4 : "mailer");
                    }
                    statement.executeQuery();
                }
            }

            try (PreparedStatement plans = connection.prepareStatement(
                    "SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT e.id%'");
                    ResultSet kept = plans.executeQuery()) {
                assertThat(kept.next()).isTrue();
                assertThat(kept.getInt(1)).isGreaterThan(5);
            }
        }
    }
}
