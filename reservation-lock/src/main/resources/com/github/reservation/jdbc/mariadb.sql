-- reservation-lock: the lock table for MariaDB 10.6 or newer.
--
-- Times are in UTC, whatever the time zone of a session: DATETIME, because TIMESTAMP would be converted.
-- Collation utf8mb4_nopad_bin compares byte by byte and does not ignore blanks at the end, as utf8mb4_bin does.
CREATE TABLE RESERVATION_LOCKS (
    reservation_key VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    holder          VARCHAR(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    acquired_at     DATETIME(6) NOT NULL,
    expires_at      DATETIME(6) NOT NULL,
    fence           BIGINT,
    waiters         VARCHAR(272) CHARACTER SET ascii COLLATE ascii_bin,
    reserved_until  DATETIME(6) NULL,
    CONSTRAINT pk_reservation_locks PRIMARY KEY (reservation_key)
) ENGINE = InnoDB;

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_LOCKS TO 'app_user'@'%';
