-- reservation-lock: the tables of an outbox for PostgreSQL.
--
-- Times are in UTC, whatever the time zone of a session. Collation "C" compares byte by byte.
-- id gives events their order: its sequence must not be cached by sessions (CACHE 1, the default).
CREATE TABLE RESERVATION_OUTBOX (
    id         BIGINT        GENERATED ALWAYS AS IDENTITY,
    event_key  VARCHAR(1089) COLLATE "C" NOT NULL,
    event_type VARCHAR(200)  COLLATE "C" NOT NULL,
    payload    TEXT          NOT NULL,
    created_at TIMESTAMP(6)  NOT NULL,
    CONSTRAINT pk_reservation_outbox PRIMARY KEY (id)
);

-- For which listener each event waits, and in which lane. Lanes below 0 belong to one key.
CREATE TABLE RESERVATION_OUTBOX_DELIVERIES (
    event_id    BIGINT      NOT NULL,
    listener_id VARCHAR(64) COLLATE "C" NOT NULL,
    lane        BIGINT      NOT NULL,
    key_id      VARCHAR(32) COLLATE "C" NOT NULL,
    bytes       INTEGER     NOT NULL,
    CONSTRAINT pk_reservation_outbox_dlv PRIMARY KEY (event_id, listener_id)
);

CREATE INDEX ix_reservation_outbox_dlv_lane ON RESERVATION_OUTBOX_DELIVERIES (listener_id, lane, event_id);

-- The keys that have a lane of their own. One without due_at is parked.
CREATE TABLE RESERVATION_OUTBOX_KEYS (
    listener_id VARCHAR(64)   COLLATE "C" NOT NULL,
    key_id      VARCHAR(32)   COLLATE "C" NOT NULL,
    lane        BIGINT        NOT NULL,
    head        BIGINT        NOT NULL,
    attempts    INTEGER       NOT NULL,
    owner       VARCHAR(32)   COLLATE "C" NOT NULL,
    due_at      TIMESTAMP(6),
    wait_micros BIGINT        NOT NULL,
    last_error  VARCHAR(1000) NOT NULL,
    CONSTRAINT pk_reservation_outbox_keys PRIMARY KEY (listener_id, key_id)
) WITH (fillfactor = 50);

CREATE INDEX ix_reservation_outbox_keys_due ON RESERVATION_OUTBOX_KEYS (listener_id, due_at);
CREATE INDEX ix_reservation_outbox_keys_head ON RESERVATION_OUTBOX_KEYS (head);

-- Which instance delivers the keys of a lane that they share.
CREATE TABLE RESERVATION_OUTBOX_LANES (
    listener_id  VARCHAR(64)  COLLATE "C" NOT NULL,
    lane         INTEGER      NOT NULL,
    owner        VARCHAR(32)  COLLATE "C" NOT NULL,
    leased_until TIMESTAMP(6) NOT NULL,
    lease_micros BIGINT       NOT NULL,
    CONSTRAINT pk_reservation_outbox_lanes PRIMARY KEY (listener_id, lane)
) WITH (fillfactor = 50);

-- Which types of events listeners want, and when an instance last said so.
CREATE TABLE RESERVATION_OUTBOX_LISTENERS (
    event_type  VARCHAR(200) COLLATE "C" NOT NULL,
    listener_id VARCHAR(64)  COLLATE "C" NOT NULL,
    seen_at     TIMESTAMP(6) NOT NULL,
    CONSTRAINT pk_reservation_outbox_lst PRIMARY KEY (event_type, listener_id)
);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX, RESERVATION_OUTBOX_DELIVERIES,
--     RESERVATION_OUTBOX_KEYS, RESERVATION_OUTBOX_LANES, RESERVATION_OUTBOX_LISTENERS TO app_user;
