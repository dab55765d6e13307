-- reservation-lock: the lock table for Oracle 12.1 or newer.
--
-- Times are in UTC, whatever the time zone of a session or of the database.
-- The character set of the database must be a Unicode one (AL32UTF8). Whether lengths are bytes or characters does not
-- matter: a key has at most 512 bytes, a holder 256.
CREATE TABLE RESERVATION_LOCKS (
    reservation_key  VARCHAR2(512)  NOT NULL,
    holder           VARCHAR2(256)  NOT NULL,
    acquired_at      TIMESTAMP      NOT NULL,
    expires_at       TIMESTAMP      NOT NULL,
    fence            NUMBER(19),
    waiters          VARCHAR2(272),
    reserved_until   TIMESTAMP,
    CONSTRAINT pk_reservation_locks PRIMARY KEY (reservation_key)
);

-- For those who look for expired locks; no lock needs it.
CREATE INDEX idx_reservation_locks_expires ON RESERVATION_LOCKS (expires_at);

COMMENT ON TABLE RESERVATION_LOCKS IS 'Distributed reservation locks with automatic expiration';
COMMENT ON COLUMN RESERVATION_LOCKS.reservation_key IS 'Composite key: domain::identifier';
COMMENT ON COLUMN RESERVATION_LOCKS.holder IS 'Lock owner: thread@host';
COMMENT ON COLUMN RESERVATION_LOCKS.acquired_at IS 'When the lock was acquired';
COMMENT ON COLUMN RESERVATION_LOCKS.expires_at IS 'When the lock automatically expires';
COMMENT ON COLUMN RESERVATION_LOCKS.fence IS 'Fencing token: grows with each acquisition of the key';
COMMENT ON COLUMN RESERVATION_LOCKS.waiters IS 'Which nodes wait for the key';
COMMENT ON COLUMN RESERVATION_LOCKS.reserved_until IS 'Until when the key is kept for the first of them';

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_LOCKS TO app_user;

-- Managers delete the rows of keys that have been free for a day. Where they may not, or for keys that no running
-- manager cares about, a job can do it. It compares with UTC, as the locks do: a job has a time zone of its own.
-- BEGIN
--     DBMS_SCHEDULER.CREATE_JOB(
--         job_name        => 'CLEANUP_EXPIRED_RESERVATIONS',
--         job_type        => 'PLSQL_BLOCK',
--         job_action      => 'BEGIN
--                                 DELETE FROM RESERVATION_LOCKS
--                                 WHERE expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
--                                   AND acquired_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - INTERVAL ''1'' DAY;
--                                 COMMIT;
--                             END;',
--         repeat_interval => 'FREQ=HOURLY',
--         enabled         => TRUE
--     );
-- END;
-- /
