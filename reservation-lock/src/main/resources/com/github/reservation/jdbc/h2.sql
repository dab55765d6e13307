-- reservation-lock: the lock table for H2 2.2 or newer.
--
-- Times are in UTC, whatever the time zone of a session.
CREATE TABLE RESERVATION_LOCKS (
    reservation_key VARCHAR(512) NOT NULL,
    holder          VARCHAR(256) NOT NULL,
    acquired_at     TIMESTAMP(6) NOT NULL,
    expires_at      TIMESTAMP(6) NOT NULL,
    fence           BIGINT,
    waiters         VARCHAR(272),
    reserved_until  TIMESTAMP(6),
    CONSTRAINT pk_reservation_locks PRIMARY KEY (reservation_key)
);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_LOCKS TO app_user;
