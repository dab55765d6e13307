-- reservation-lock: the tables of an outbox for MariaDB 10.6 or newer.
--
-- Times are in UTC, whatever the time zone of a session: DATETIME, because TIMESTAMP would be converted.
-- id gives events their order.
CREATE TABLE RESERVATION_OUTBOX (
    id         BIGINT        NOT NULL AUTO_INCREMENT,
    event_key  VARCHAR(1089) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    event_type VARCHAR(200)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload    LONGTEXT      CHARACTER SET utf8mb4 NOT NULL,
    created_at DATETIME(6)   NOT NULL,
    CONSTRAINT pk_reservation_outbox PRIMARY KEY (id)
) ENGINE = InnoDB;

-- For which listener each event waits, and in which lane. Lanes below 0 belong to one key.
CREATE TABLE RESERVATION_OUTBOX_DELIVERIES (
    event_id    BIGINT      NOT NULL,
    listener_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    lane        BIGINT      NOT NULL,
    key_id      VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    bytes       INTEGER     NOT NULL,
    CONSTRAINT pk_reservation_outbox_dlv PRIMARY KEY (event_id, listener_id)
) ENGINE = InnoDB;

CREATE INDEX ix_reservation_outbox_dlv_lane ON RESERVATION_OUTBOX_DELIVERIES (listener_id, lane, event_id);

-- The keys that have a lane of their own. One without due_at is parked.
CREATE TABLE RESERVATION_OUTBOX_KEYS (
    listener_id VARCHAR(64)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    key_id      VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    lane        BIGINT        NOT NULL,
    head        BIGINT        NOT NULL,
    attempts    INTEGER       NOT NULL,
    owner       VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    due_at      DATETIME(6)   NULL,
    wait_micros BIGINT        NOT NULL,
    last_error  VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    CONSTRAINT pk_reservation_outbox_keys PRIMARY KEY (listener_id, key_id)
) ENGINE = InnoDB;

CREATE INDEX ix_reservation_outbox_keys_due ON RESERVATION_OUTBOX_KEYS (listener_id, due_at);
CREATE INDEX ix_reservation_outbox_keys_head ON RESERVATION_OUTBOX_KEYS (head);

-- Which instance delivers the keys of a lane that they share.
CREATE TABLE RESERVATION_OUTBOX_LANES (
    listener_id  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    lane         INTEGER     NOT NULL,
    owner        VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    leased_until DATETIME(6) NOT NULL,
    lease_micros BIGINT      NOT NULL,
    CONSTRAINT pk_reservation_outbox_lanes PRIMARY KEY (listener_id, lane)
) ENGINE = InnoDB;

-- Which types of events listeners want, and when an instance last said so.
CREATE TABLE RESERVATION_OUTBOX_LISTENERS (
    event_type  VARCHAR(200) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    listener_id VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    seen_at     DATETIME(6)  NOT NULL,
    CONSTRAINT pk_reservation_outbox_lst PRIMARY KEY (event_type, listener_id)
) ENGINE = InnoDB;

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX TO 'app_user'@'%';
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_DELIVERIES TO 'app_user'@'%';
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_KEYS TO 'app_user'@'%';
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LANES TO 'app_user'@'%';
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LISTENERS TO 'app_user'@'%';
