-- reservation-lock: the lock table for PostgreSQL.
--
-- Times are in UTC, whatever the time zone of a session. Collation "C" compares byte by byte.
-- There is no index on expires_at on purpose: no lock needs one, and it would end HOT updates, so that
-- the table would grow with every lock.
CREATE TABLE RESERVATION_LOCKS (
    reservation_key VARCHAR(512) COLLATE "C" NOT NULL,
    holder          VARCHAR(256) COLLATE "C" NOT NULL,
    acquired_at     TIMESTAMP(6) NOT NULL,
    expires_at      TIMESTAMP(6) NOT NULL,
    fence           BIGINT,
    waiters         VARCHAR(272) COLLATE "C",
    reserved_until  TIMESTAMP(6),
    CONSTRAINT pk_reservation_locks PRIMARY KEY (reservation_key)
);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_LOCKS TO app_user;
