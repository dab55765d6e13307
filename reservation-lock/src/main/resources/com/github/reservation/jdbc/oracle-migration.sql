-- reservation-lock: from a lock table of the four columns reservation_key, holder, acquired_at and expires_at
-- to the full one, on Oracle. Locks that are held stay held. An application that has used
-- the table before uses the new columns after its next start; until then its locks and those of others exclude each other.
-- If it fails with ORA-00054, because the table is in use at that very moment: ALTER SESSION SET DDL_LOCK_TIMEOUT = 30
-- and again.
ALTER TABLE RESERVATION_LOCKS ADD (
    fence           NUMBER(19),
    waiters         VARCHAR2(272),
    reserved_until  TIMESTAMP
);

COMMENT ON COLUMN RESERVATION_LOCKS.fence IS 'Fencing token: grows with each acquisition of the key';
COMMENT ON COLUMN RESERVATION_LOCKS.waiters IS 'Which nodes wait for the key';
COMMENT ON COLUMN RESERVATION_LOCKS.reserved_until IS 'Until when the key is kept for the first of them';

-- Only if another program than reservation-lock has written the rows, in another time zone than UTC, and while no
-- application holds a lock:
-- DELETE FROM RESERVATION_LOCKS;
