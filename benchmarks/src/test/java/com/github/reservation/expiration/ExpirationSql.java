// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

/** The tables that the benchmarks of expiration measure on, and the statements by hand that they compare with. */
final class ExpirationSql {

    static final String TABLES = """
            CREATE TABLE pickup_orders (
                order_id        BIGINT       NOT NULL PRIMARY KEY,
                order_type      VARCHAR(20)  NOT NULL,
                status          VARCHAR(20)  NOT NULL,
                store_id        VARCHAR(20)  NOT NULL,
                user_id         VARCHAR(36)  NOT NULL,
                item_id         BIGINT       NOT NULL,
                quantity        INT          NOT NULL,
                hold_expires_at TIMESTAMP(6) NOT NULL,
                version         BIGINT       NOT NULL
            );
            CREATE INDEX ix_pickup_orders_due ON pickup_orders (order_type, status, hold_expires_at, order_id);
            CREATE TABLE stock (item_id BIGINT NOT NULL PRIMARY KEY, available INT NOT NULL CHECK (available >= 0));
            """;

    static final String FILL_ORDERS = """
            TRUNCATE pickup_orders, stock;
            INSERT INTO stock SELECT g, 0 FROM generate_series(0, 999) g;
            INSERT INTO pickup_orders
            SELECT g, 'RESERVE_PICKUP', 'RESERVED', 'store' || g %% 50, 'user' || g, floor(random() * 1000)::int, 1 + g %% 3,
                (clock_timestamp() AT TIME ZONE 'UTC') - INTERVAL '1 hour' + g * INTERVAL '1 millisecond', 1
            FROM generate_series(1, %d) g;
            ANALYZE pickup_orders, stock;
            """;

    /** State and stock in one statement; the rows of the stock are locked in their order first. */
    static final String BY_HAND = """
            WITH gone AS (
                UPDATE pickup_orders SET status = 'EXPIRED', version = version + 1
                WHERE order_id = ANY (ARRAY(
                    SELECT order_id FROM pickup_orders
                    WHERE order_type = 'RESERVE_PICKUP' AND status = 'RESERVED'
                      AND hold_expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
                    ORDER BY hold_expires_at LIMIT 500 FOR UPDATE SKIP LOCKED))
                RETURNING item_id, quantity
            ), back AS (
                SELECT item_id, sum(quantity) AS quantity FROM gone GROUP BY item_id
            ), held AS (
                SELECT s.item_id FROM stock s WHERE s.item_id IN (SELECT item_id FROM back) ORDER BY s.item_id FOR UPDATE
            ), put AS (
                UPDATE stock s SET available = s.available + back.quantity
                FROM back JOIN held USING (item_id) WHERE s.item_id = back.item_id
            )
            SELECT count(*) FROM gone
            """;

    static final String STOCK_AT_ONCE = """
            WITH back AS (
                SELECT * FROM UNNEST(?, ?) AS back (item_id, quantity)
            ), held AS (
                SELECT s.item_id FROM stock s WHERE s.item_id IN (SELECT item_id FROM back) ORDER BY s.item_id FOR UPDATE
            )
            UPDATE stock s SET available = s.available + back.quantity
            FROM back JOIN held USING (item_id) WHERE s.item_id = back.item_id
            """;

    static final String STATE_BY_HAND = """
            WITH gone AS (
                UPDATE pickup_orders SET status = 'EXPIRED', version = version + 1
                WHERE order_id = ANY (ARRAY(
                    SELECT order_id FROM pickup_orders
                    WHERE order_type = 'RESERVE_PICKUP' AND status = 'RESERVED'
                      AND hold_expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
                    ORDER BY hold_expires_at LIMIT 500 FOR UPDATE SKIP LOCKED))
                RETURNING order_id
            )
            SELECT count(*) FROM gone
            """;

    static final String FILL_CLAIMS = """
            TRUNCATE RESERVATION_CLAIMS;
            INSERT INTO RESERVATION_CLAIMS (
                reservation_id, claim_key, claim_type, claim_value, status, expires_at, token, version, created_at, updated_at)
            SELECT 'res_' || md5(g::text), 'name:' || g, 'name', g::text, 'reserved',
                (clock_timestamp() AT TIME ZONE 'UTC') - INTERVAL '1 hour' + g * INTERVAL '1 millisecond',
                md5('token' || g), 1, now(), now()
            FROM generate_series(1, %d) g;
            ANALYZE RESERVATION_CLAIMS;
            """;

    static final String CLAIMS_BY_HAND = """
            WITH gone AS (
                UPDATE RESERVATION_CLAIMS
                SET status = 'expired', version = version + 1, updated_at = clock_timestamp() AT TIME ZONE 'UTC'
                WHERE reservation_id = ANY (ARRAY(
                    SELECT reservation_id FROM RESERVATION_CLAIMS
                    WHERE status = 'reserved' AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
                    ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED))
                RETURNING reservation_id
            )
            SELECT count(*) FROM gone
            """;

    private ExpirationSql() {}
}
