-- SPDX-License-Identifier: Apache-2.0
-- The tables of the shop for MySQL and MariaDB. They take every name, whatever the server is set to.
-- Times are in UTC: DATETIME has no zone, TIMESTAMP would be converted.
CREATE TABLE IF NOT EXISTS stores (
    id   BIGINT       PRIMARY KEY,
    name VARCHAR(100) NOT NULL,
    city VARCHAR(100) NOT NULL
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS products (
    id          BIGINT       PRIMARY KEY,
    store_id    BIGINT       NOT NULL REFERENCES stores (id),
    name        VARCHAR(200) NOT NULL,
    category    VARCHAR(20)  NOT NULL,
    description VARCHAR(500) NOT NULL,
    price_cents INT          NOT NULL,
    available   INT          NOT NULL,
    CONSTRAINT ck_products_available CHECK (available >= 0),
    INDEX ix_products_store (store_id)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS customers (
    id       BIGINT       AUTO_INCREMENT PRIMARY KEY,
    -- Compared by code points, as its claim is: for others, an accent makes no difference. It never ends in a blank.
    email    VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL UNIQUE,
    name     VARCHAR(100) NOT NULL,
    password VARCHAR(100) NOT NULL,
    role     VARCHAR(20)  NOT NULL
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS orders (
    id              BIGINT       AUTO_INCREMENT PRIMARY KEY,
    order_type      VARCHAR(20)  NOT NULL,
    status          VARCHAR(20)  NOT NULL,
    store_id        BIGINT       NOT NULL REFERENCES stores (id),
    customer_id     BIGINT       NOT NULL REFERENCES customers (id),
    created_at      DATETIME(3) NOT NULL,
    hold_expires_at DATETIME(3) NOT NULL,
    -- The job searches by it.
    INDEX ix_orders_due (order_type, status, hold_expires_at, id),
    INDEX ix_orders_customer (customer_id)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS order_lines (
    order_id    BIGINT NOT NULL REFERENCES orders (id),
    product_id  BIGINT NOT NULL REFERENCES products (id),
    quantity    INT    NOT NULL,
    price_cents INT    NOT NULL,
    PRIMARY KEY (order_id, product_id)
) DEFAULT CHARSET = utf8mb4;

-- One for each order: an event that is delivered twice is written once.
CREATE TABLE IF NOT EXISTS notifications (
    id          BIGINT       AUTO_INCREMENT PRIMARY KEY,
    order_id    BIGINT       NOT NULL UNIQUE REFERENCES orders (id),
    customer_id BIGINT       NOT NULL REFERENCES customers (id),
    message     VARCHAR(500) NOT NULL,
    created_at  DATETIME(3) NOT NULL,
    seen        BOOLEAN      NOT NULL,
    INDEX ix_notifications_customer (customer_id)
) DEFAULT CHARSET = utf8mb4;

-- fence is the highest token of a count that has started: a count with a lower one is stale.
CREATE TABLE IF NOT EXISTS stock_counts (
    store_id      BIGINT       PRIMARY KEY REFERENCES stores (id),
    fence         BIGINT       NOT NULL,
    counter       VARCHAR(100),
    counted_by    VARCHAR(100),
    counted_units INT,
    counted_fence BIGINT,
    counted_at    DATETIME(3)
) DEFAULT CHARSET = utf8mb4;
