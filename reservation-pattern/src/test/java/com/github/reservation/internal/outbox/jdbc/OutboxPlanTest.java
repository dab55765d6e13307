// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A look costs the same whatever lies in the tables: a dense lane, or many keys that are parked. */
class OutboxPlanTest extends OnOutboxStore {

    private static final int DOUBLINGS = 18;
    private static final int DENSE_LANES = 17;
    private static final Duration QUICK = Duration.ofMillis(10);

    /** Some look at the tables. */
    @FunctionalInterface
    private interface Look {
        void run() throws Exception;
    }

    @Test
    void aLookIsQuickWhateverLiesInTheTables() throws Exception {
        assumeFalse(kind.isH2(), "no plan of its server is asked for");
        fill();

        assertQuick("lane", () -> assertThat(store.nextLane(MAILER, DENSE_LANES - 1)).hasValue(DENSE_LANES - 1));
        assertQuick("no lane", () -> assertThat(store.nextLane(MAILER, DENSE_LANES)).isEmpty());
        assertQuick("keys", () -> assertThat(store.nextKeys(MAILER, 100)).hasSize(1));
        assertQuick("read", () -> assertThat(read(MAILER, DENSE_LANES - 1)).hasSize(OutboxStore.PAGE));
        assertQuick("empty", () -> assertThat(read(MAILER, -1)).isEmpty());
        assertPlan(statements().lanes.first.text(), "ix_reservation_outbox_dlv_lane", MAILER, 3, 63);
        assertPlan(statements().lanes.read.text(), "ix_reservation_outbox_dlv_lane", MAILER, 3, MAILER, 3, 3, 1_000);
        assertPlan(statements().keys.next.text(), "ix_reservation_outbox_keys_due", MAILER, 100);
        if (kind == Databases.POSTGRESQL) {
            Params ids = Params.of("ids", LongStream.range(0, OutboxStore.PAGE).boxed().toList());
            assertThat(genericPlan(statements().lanes.complete.orElseThrow().forSizeOf(ids).text()))
                    .doesNotContain("Seq Scan");
        }
    }

    private void fill() throws Exception {
        register(MAILER, TYPE);
        append(event("k", TYPE, "1"));
        database.execute("UPDATE RESERVATION_OUTBOX_DELIVERIES SET event_id = 1, lane = 1");
        for (int i = 0; i < DOUBLINGS; i++) {
            int more = 1 << i;
            database.execute(("INSERT INTO RESERVATION_OUTBOX_DELIVERIES (event_id, listener_id, lane, key_id, bytes)"
                    + " SELECT event_id + %d, listener_id, MOD(event_id + %d, %d), key_id, bytes"
                    + " FROM RESERVATION_OUTBOX_DELIVERIES;"
                    + "INSERT INTO RESERVATION_OUTBOX (event_key, event_type, payload, created_at)"
                    + " SELECT event_key, event_type, payload, created_at FROM RESERVATION_OUTBOX")
                    .formatted(more, more, DENSE_LANES));
        }
        database.execute("INSERT INTO RESERVATION_OUTBOX_KEYS SELECT listener_id, CONCAT('k', event_id), -event_id,"
                + " event_id, 1, '-', CASE WHEN event_id = 1 THEN CURRENT_TIMESTAMP(6) END, 0, 'It failed'"
                + " FROM RESERVATION_OUTBOX_DELIVERIES WHERE event_id <= 50000");
        for (String table : new String[]{"", "_DELIVERIES", "_KEYS"}) {
            database.execute(
                    (kind == Databases.POSTGRESQL ? "ANALYZE" : "ANALYZE TABLE") + " RESERVATION_OUTBOX" + table);
        }
    }

    private OutboxStatements statements() {
        return new OutboxStatements(
                Dialects.named(kind.ddl()), JdbcOutbox.DEFAULT_EVENTS);
    }

    /** The quickest of some: the others may have waited for the machine. The first ones are planned anew. */
    private void assertQuick(String what, Look look) {
        long nanos = IntStream.range(0, 30).mapToLong(i -> nanosOf(look)).skip(10).min().orElseThrow();
        assertThat(Duration.ofNanos(nanos)).as(what).isLessThan(QUICK);
    }

    private static long nanosOf(Look look) {
        long start = System.nanoTime();
        try {
            look.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return System.nanoTime() - start;
    }

    /** The plan for any parameters, or for these. */
    private void assertPlan(String sql, String index, Object... parameters) throws SQLException {
        String plan = kind == Databases.POSTGRESQL ? genericPlan(sql) : plan(sql, parameters);

        assertThat(plan).contains(index).doesNotContain("Seq Scan", "pk_reservation_outbox_dlv");
    }

    private String genericPlan(String sql) {
        String numbered = sql;
        for (int i = 1; numbered.contains("?"); i++) {
            numbered = numbered.replaceFirst("\\?", "\\$" + i);
        }
        return database.with("preferQueryMode=simple").query("EXPLAIN (GENERIC_PLAN, FORMAT JSON) " + numbered);
    }

    private String plan(String sql, Object... parameters) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = pool.getConnection();
                PreparedStatement explain = connection.prepareStatement("EXPLAIN " + sql)) {
            for (int i = 0; i < parameters.length; i++) {
                explain.setObject(i + 1, parameters[i]);
            }
            try (ResultSet row = explain.executeQuery()) {
                while (row.next()) {
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        plan.append(row.getMetaData().getColumnLabel(i)).append('=').append(row.getString(i))
                                .append(' ');
                    }
                    plan.append('\n');
                }
            }
        }
        return plan.toString();
    }
}
