-- reservation-lock: the tables of an outbox for Oracle 12.1 or newer.
--
-- Times are in UTC, whatever the time zone of a session or of the database.
-- The character set of the database must be a Unicode one (AL32UTF8). Whether lengths are bytes or characters does not
-- matter: a key has at most 3,267 bytes.
-- id gives events their order. On RAC, make it GENERATED ALWAYS AS IDENTITY (ORDER).
CREATE TABLE RESERVATION_OUTBOX (
    id         NUMBER(19)     GENERATED ALWAYS AS IDENTITY,
    lane       NUMBER(10)     NOT NULL,
    key_id     VARCHAR2(32)   NOT NULL,
    event_key  VARCHAR2(3267) NOT NULL,
    event_type VARCHAR2(200)  NOT NULL,
    payload    CLOB           NOT NULL,
    created_at TIMESTAMP      NOT NULL,
    CONSTRAINT pk_reservation_outbox PRIMARY KEY (id)
);

CREATE INDEX ix_reservation_outbox_lane ON RESERVATION_OUTBOX (lane, id);

-- So that events that wait for an absent listener do not slow down the others.
CREATE INDEX ix_reservation_outbox_type ON RESERVATION_OUTBOX (lane, event_type);

-- The listeners for which events are kept.
CREATE TABLE RESERVATION_OUTBOX_LISTENERS (
    listener_id VARCHAR2(64)   NOT NULL,
    event_types VARCHAR2(4000) NOT NULL,
    CONSTRAINT pk_reservation_outbox_lst PRIMARY KEY (listener_id)
);

-- Which instance delivers the keys of a lane to a listener.
CREATE TABLE RESERVATION_OUTBOX_LANES (
    listener_id  VARCHAR2(64) NOT NULL,
    lane         NUMBER(10)   NOT NULL,
    owner        VARCHAR2(32) NOT NULL,
    leased_until TIMESTAMP    NOT NULL,
    CONSTRAINT pk_reservation_outbox_lanes PRIMARY KEY (listener_id, lane)
);

-- What is recorded about a listener and an event: done while another listener waits, failed, held or parked.
CREATE TABLE RESERVATION_OUTBOX_DELIVERIES (
    event_id    NUMBER(19)     NOT NULL,
    listener_id VARCHAR2(64)   NOT NULL,
    key_id      VARCHAR2(32)   NOT NULL,
    state       VARCHAR2(6)    NOT NULL,
    attempts    NUMBER(10)     NOT NULL,
    due_at      TIMESTAMP      NOT NULL,
    owner       VARCHAR2(32)   NOT NULL,
    last_error  VARCHAR2(1000) NOT NULL,
    CONSTRAINT pk_reservation_outbox_dlv PRIMARY KEY (event_id, listener_id)
);

CREATE INDEX ix_reservation_outbox_dlv_key ON RESERVATION_OUTBOX_DELIVERIES (listener_id, key_id, state, event_id);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX TO app_user;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LISTENERS TO app_user;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_LANES TO app_user;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX_DELIVERIES TO app_user;
