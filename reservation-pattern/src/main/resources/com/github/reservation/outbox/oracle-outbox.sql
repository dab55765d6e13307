-- reservation-lock: the tables of an outbox for Oracle 12.1 or newer.
--
-- Times are in UTC, whatever the time zone of a session or of the database.
-- The character set of the database must be a Unicode one (AL32UTF8). Whether lengths are bytes or characters does not
-- matter: a key has at most 3,267 bytes.
-- id gives events their order. On RAC, make it GENERATED ALWAYS AS IDENTITY (ORDER).
CREATE TABLE RESERVATION_OUTBOX (
    id         NUMBER(19)     GENERATED ALWAYS AS IDENTITY,
    event_key  VARCHAR2(3267) NOT NULL,
    event_type VARCHAR2(200)  NOT NULL,
    payload    CLOB           NOT NULL,
    created_at TIMESTAMP      NOT NULL,
    CONSTRAINT pk_reservation_outbox PRIMARY KEY (id)
);

-- For which listener each event waits, and in which lane. Lanes below 0 belong to one key.
CREATE TABLE RESERVATION_OUTBOX_DELIVERIES (
    event_id    NUMBER(19)   NOT NULL,
    listener_id VARCHAR2(64) NOT NULL,
    lane        NUMBER(19)   NOT NULL,
    key_id      VARCHAR2(32) NOT NULL,
    bytes       NUMBER(10)   NOT NULL,
    CONSTRAINT pk_reservation_outbox_dlv PRIMARY KEY (event_id, listener_id)
);

CREATE INDEX ix_reservation_outbox_dlv_lane ON RESERVATION_OUTBOX_DELIVERIES (listener_id, lane, event_id);

-- The keys that have a lane of their own. One without due_at is parked.
CREATE TABLE RESERVATION_OUTBOX_KEYS (
    listener_id VARCHAR2(64)   NOT NULL,
    key_id      VARCHAR2(32)   NOT NULL,
    lane        NUMBER(19)     NOT NULL,
    head        NUMBER(19)     NOT NULL,
    attempts    NUMBER(10)     NOT NULL,
    owner       VARCHAR2(32)   NOT NULL,
    due_at      TIMESTAMP,
    wait_micros NUMBER(19)     NOT NULL,
    last_error  VARCHAR2(1000) NOT NULL,
    CONSTRAINT pk_reservation_outbox_keys PRIMARY KEY (listener_id, key_id)
);

CREATE INDEX ix_reservation_outbox_keys_due ON RESERVATION_OUTBOX_KEYS (listener_id, due_at);
CREATE INDEX ix_reservation_outbox_keys_head ON RESERVATION_OUTBOX_KEYS (head);

-- Which instance delivers the keys of a lane that they share.
CREATE TABLE RESERVATION_OUTBOX_LANES (
    listener_id  VARCHAR2(64) NOT NULL,
    lane         NUMBER(10)   NOT NULL,
    owner        VARCHAR2(32) NOT NULL,
    leased_until TIMESTAMP    NOT NULL,
    lease_micros NUMBER(19)   NOT NULL,
    CONSTRAINT pk_reservation_outbox_lanes PRIMARY KEY (listener_id, lane)
);

-- Which types of events listeners want, and when an instance last said so.
CREATE TABLE RESERVATION_OUTBOX_LISTENERS (
    event_type  VARCHAR2(200) NOT NULL,
    listener_id VARCHAR2(64)  NOT NULL,
    seen_at     TIMESTAMP     NOT NULL,
    CONSTRAINT pk_reservation_outbox_lst PRIMARY KEY (event_type, listener_id)
);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX TO app_user;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_DELIVERIES TO app_user;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_KEYS TO app_user;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LANES TO app_user;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LISTENERS TO app_user;
