-- reservation-lock: the tables of an outbox for MariaDB 10.6 or newer.
--
-- Times are in UTC, whatever the time zone of a session: DATETIME, because TIMESTAMP would be converted.
-- id gives events their order.
CREATE TABLE RESERVATION_OUTBOX (
    id         BIGINT        NOT NULL AUTO_INCREMENT,
    lane       INTEGER       NOT NULL,
    key_id     VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_key  VARCHAR(1089) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    event_type VARCHAR(200)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload    LONGTEXT      CHARACTER SET utf8mb4 NOT NULL,
    created_at DATETIME(6)   NOT NULL,
    CONSTRAINT pk_reservation_outbox PRIMARY KEY (id)
) ENGINE = InnoDB;

CREATE INDEX ix_reservation_outbox_lane ON RESERVATION_OUTBOX (lane, id);

-- So that events that wait for an absent listener do not slow down the others.
CREATE INDEX ix_reservation_outbox_type ON RESERVATION_OUTBOX (lane, event_type);

-- The listeners for which events are kept.
CREATE TABLE RESERVATION_OUTBOX_LISTENERS (
    listener_id VARCHAR(64)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_types VARCHAR(4000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    CONSTRAINT pk_reservation_outbox_lst PRIMARY KEY (listener_id)
) ENGINE = InnoDB;

-- Which instance delivers the keys of a lane to a listener.
CREATE TABLE RESERVATION_OUTBOX_LANES (
    listener_id  VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    lane         INTEGER      NOT NULL,
    owner        VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    leased_until DATETIME(6)  NOT NULL,
    CONSTRAINT pk_reservation_outbox_lanes PRIMARY KEY (listener_id, lane)
) ENGINE = InnoDB;

-- What is recorded about a listener and an event: done while another listener waits, failed, held or parked.
CREATE TABLE RESERVATION_OUTBOX_DELIVERIES (
    event_id    BIGINT        NOT NULL,
    listener_id VARCHAR(64)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    key_id      VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state       VARCHAR(6)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempts    INTEGER       NOT NULL,
    due_at      DATETIME(6)   NOT NULL,
    owner       VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    last_error  VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    CONSTRAINT pk_reservation_outbox_dlv PRIMARY KEY (event_id, listener_id)
) ENGINE = InnoDB;

CREATE INDEX ix_reservation_outbox_dlv_key ON RESERVATION_OUTBOX_DELIVERIES (listener_id, key_id, state, event_id);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX TO 'app_user'@'%';
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LISTENERS TO 'app_user'@'%';
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LANES TO 'app_user'@'%';
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_DELIVERIES TO 'app_user'@'%';
