// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.jdbc.lock.Databases;
import java.time.Duration;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of other shapes: keys of several columns or of text, times with a zone. It changes the time zone of the JVM. */
class KeysAndTimesTest extends OnPickupStore {

    /** A view that computes the end with the same function as the statements of the job, which returns one time in each of them. */
    @Test
    void aRowThatEndsExactlyNow_expires() {
        assumeThat(kind.isH2()).as("H2 does not update views").isFalse();
        store.hold(1);
        String now = kind.isMySql() ? "UTC_TIMESTAMP(6)" : "statement_timestamp() AT TIME ZONE 'UTC'";
        store.database().execute("CREATE VIEW ending_orders AS SELECT order_id, order_type, status, store_id, user_id,"
                + " item_id, quantity, version, " + now + " AS ends_now FROM pickup_orders");
        try {
            SourceRun run = PickupStore.run(
                    published(store.source().table("ending_orders").expiresAt("ends_now")).build());

            assertThat(run.failure()).isEmpty();
            assertThat(store.status(1)).isEqualTo("EXPIRED");
        } finally {
            store.database().execute("DROP VIEW ending_orders");
        }
    }

    @Test
    void aKeyOfTwoColumns_oneOfThemText() throws Exception {
        String time = kind.isMySql() ? "DATETIME(6)" : "TIMESTAMP(6)";
        store.database().execute("DROP TABLE IF EXISTS carts;"
                + "CREATE TABLE carts (shop VARCHAR(20) NOT NULL, cart VARCHAR(20) NOT NULL, state INT NOT NULL,"
                + " ends " + time + " NOT NULL, PRIMARY KEY (shop, cart))");
        for (int shop = 0; shop < 5; shop++) {
            for (int cart = 0; cart < 9; cart++) {
                // All end at the same moment: only the key tells them apart.
                store.database().execute("INSERT INTO carts VALUES ('shop-" + shop + "', 'cart-" + cart
                        + "', 1, TIMESTAMP '2020-01-01 00:00:00')");
            }
        }
        AtomicInteger transactions = new AtomicInteger();
        TableExpirationSource<String> carts = TableExpirationSource.builder("carts", row -> row.getString("cart"))
                .dataSource(EachConnection.of(store.dataSource(), connection -> {
                    transactions.incrementAndGet();
                    return connection;
                }))
                .table("carts")
                .key("shop", "cart")
                .status("state", "1", "2")
                .expiresAt("ends")
                .columns("cart")
                .batchSize(2)
                .build();

        SourceRun run = PickupStore.run(carts);

        assertThat(run.failure()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(45);
        assertThat(store.query("SELECT COUNT(*) FROM carts WHERE state = 2")).isEqualTo("45");
        assertThat(transactions).as("3 pages, 23 batches, the lag").hasValue(27);
    }

    @Test
    void aKeyOfOneColumn_ofAnyType() throws Exception {
        List<String> types = kind == Databases.POSTGRESQL
                ? List.of("INTEGER", "SERIAL", "BIGSERIAL", "NUMERIC(9)", "TEXT", "VARCHAR(9)", "CHAR(9)", "UUID",
                        "BYTEA")
                : List.of("INTEGER", "NUMERIC(9)", "VARCHAR(9)", "CHAR(9)");
        String time = kind.isMySql() ? "DATETIME(6)" : "TIMESTAMP(6)";
        for (String type : types) {
            String table = "holds_by_" + types.indexOf(type);
            store.database().execute("DROP TABLE IF EXISTS " + table + ";CREATE TABLE " + table + " (id "
                    + type + " NOT NULL PRIMARY KEY, state INT NOT NULL, ends " + time + " NOT NULL)");
            for (int id = 1; id <= 3; id++) {
                String value = type.equals("UUID") ? "'00000000-0000-0000-0000-00000000000" + id + "'" : "'" + id + "'";
                store.database().execute(
                        "INSERT INTO " + table + " VALUES (" + value + ", 1, TIMESTAMP '2020-01-01 00:00:00')");
            }

            SourceRun run = PickupStore.run(TableExpirationSource.builder("holds", row -> row.getString("id"))
                    .dataSource(store.dataSource())
                    .table(table)
                    .key("id")
                    .status("state", "1", "2")
                    .expiresAt("ends")
                    .batchSize(2)
                    .build());

            assertThat(run.failure()).as(type).isEmpty();
            assertThat(run.processedCount()).as(type).isEqualTo(3);
            assertThat(store.query("SELECT COUNT(*) FROM " + table + " WHERE state = 2")).as(type).isEqualTo("3");
        }
    }

    @Test
    void moreRowsThanFitIntoOneList() {
        store.holdUpTo(1_203);

        SourceRun run = PickupStore.run(store.source().batchSize(1_100).build());

        assertThat(run.processedCount()).isEqualTo(1_203);
        assertThat(store.count("EXPIRED")).isEqualTo(1_203);
    }

    @Test
    void theZoneOfTheJvmDoesNotMatter() throws Exception {
        TimeZone before = TimeZone.getDefault();
        for (String zone : List.of("Pacific/Auckland", "Pacific/Honolulu")) {
            TimeZone.setDefault(TimeZone.getTimeZone(zone));
            try (PickupStore there = new PickupStore(kind.open(directory))) {
                there.install();
                there.hold("RESERVE_PICKUP", "RESERVED", Duration.ofMinutes(30), 1);
                there.hold("RESERVE_PICKUP", "RESERVED", Duration.ofMinutes(-30), 2);
                TableExpirationSource<?> source = there.source().build();

                assertThat(source.lag()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(31));
                assertThat(PickupStore.run(source).processedCount()).isEqualTo(1);
                assertThat(there.status(1)).isEqualTo("EXPIRED");
                assertThat(there.status(2)).isEqualTo("RESERVED");
            } finally {
                TimeZone.setDefault(before);
            }
        }
    }

    /** The same moment for every session: the database knows which, whoever wrote it and whoever reads it. */
    @ParameterizedTest
    @ValueSource(strings = {"+12:00", "-10:00", "+05:30", "+00:00"})
    void aColumnWithAZone(String zone) throws Exception {
        List<String> writers = List.of("+00:00", "+12:00", "-05:00");
        String type = kind.isMySql() ? "TIMESTAMP(6)" : "TIMESTAMP(6) WITH TIME ZONE";
        store.database().execute("DROP TABLE IF EXISTS holds;"
                + "CREATE TABLE holds (id INT NOT NULL PRIMARY KEY, state VARCHAR(9) NOT NULL, ends " + type
                + " NULL)");
        String now = kind.ddl().equals("oracle") ? "SYSTIMESTAMP" : "CURRENT_TIMESTAMP(6)";
        for (int id = 1; id <= 12; id++) { // More than a page has.
            store.database().execute(sessionZone(writers.get(id % 3)) + ";INSERT INTO holds VALUES (" + id
                    + ", 'HELD', " + now + " - INTERVAL '30' MINUTE)");
        }
        store.database().execute("INSERT INTO holds VALUES (13, 'HELD', " + now + " + INTERVAL '30' MINUTE)");
        store.dataSource().setConnectionInitSql(sessionZone(zone));
        TableExpirationSource<Integer> holds = TableExpirationSource.builder("holds", row -> row.getInt("id"))
                .dataSource(store.dataSource())
                .table("holds")
                .key("id")
                .status("state", "HELD", "ENDED")
                .expiresAt("ends")
                .batchSize(1)
                .build();

        assertThat(holds.lag()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(31));
        SourceRun run = PickupStore.run(holds);

        assertThat(run.failure()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(12);
        assertThat(store.query("SELECT state FROM holds WHERE id = 13")).isEqualTo("HELD");
    }

    private String sessionZone(String zone) {
        return (kind.isMySql() ? "SET time_zone = '" : "SET TIME ZONE '") + zone + "'";
    }
}
