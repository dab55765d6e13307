-- All statements that reservation-lock sends to a table of claims on oracle, as they are sent.
-- Each is a transaction of its own, unless it says that it belongs to a caller's.
-- The table is what com.github.reservation.jdbc.Ddl prints for oracle-claims.
-- This file is written by ClaimSqlFilesTest; do not edit it.

-- check which columns there are, and how times are kept, once
SELECT * FROM RESERVATION_CLAIMS WHERE 1 = 0;

-- reserve a new value
INSERT INTO RESERVATION_CLAIMS (
    reservation_id, claim_key, claim_type, claim_value, status, expires_at, correlation_id, token, version,
    created_at, updated_at)
VALUES (
    ?, ?, ?, ?, 'reserved', SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND'), ?, ?, 1,
    SYS_EXTRACT_UTC(SYSTIMESTAMP), SYS_EXTRACT_UTC(SYSTIMESTAMP));

-- look who has a value, or why a change was refused
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    EXTRACT(DAY FROM confirmed_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(confirmed_at, 'SSSSSFF6') AS NUMBER(11)) AS confirmed,
    EXTRACT(DAY FROM released_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(released_at, 'SSSSSFF6') AS NUMBER(11)) AS released,
    EXTRACT(DAY FROM created_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(created_at, 'SSSSSFF6') AS NUMBER(11)) AS created,
    EXTRACT(DAY FROM updated_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(updated_at, 'SSSSSFF6') AS NUMBER(11)) AS updated,
    status,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) AS expires,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?;

-- reserve a value that is free again
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'reserved',
    expires_at = SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND'),
    entity_id = NULL,
    confirmed_at = NULL,
    released_at = NULL,
    correlation_id = ?,
    token = ?,
    created_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
WHERE reservation_id = ?
  AND version = ?
  AND (status IN ('released', 'expired') OR (status = 'reserved' AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)));

-- confirm
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- confirm without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- release
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- release without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- extend
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    expires_at = GREATEST(expires_at, SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND')),
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- release the confirmed value of an entity
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP)
WHERE reservation_id = ?
  AND CASE status WHEN 'confirmed' THEN version END = ?;

-- find
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    EXTRACT(DAY FROM confirmed_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(confirmed_at, 'SSSSSFF6') AS NUMBER(11)) AS confirmed,
    EXTRACT(DAY FROM released_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(released_at, 'SSSSSFF6') AS NUMBER(11)) AS released,
    EXTRACT(DAY FROM created_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(created_at, 'SSSSSFF6') AS NUMBER(11)) AS created,
    EXTRACT(DAY FROM updated_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(updated_at, 'SSSSSFF6') AS NUMBER(11)) AS updated,
    status,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) AS expires,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?;

-- find by entity
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    EXTRACT(DAY FROM confirmed_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(confirmed_at, 'SSSSSFF6') AS NUMBER(11)) AS confirmed,
    EXTRACT(DAY FROM released_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(released_at, 'SSSSSFF6') AS NUMBER(11)) AS released,
    EXTRACT(DAY FROM created_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(created_at, 'SSSSSFF6') AS NUMBER(11)) AS created,
    EXTRACT(DAY FROM updated_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(updated_at, 'SSSSSFF6') AS NUMBER(11)) AS updated,
    status,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) AS expires,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE entity_id = ?
  AND status = 'confirmed';

-- count by status
SELECT status, COUNT(*) AS claims
FROM (
    SELECT CASE WHEN status = 'reserved' AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 'expired' ELSE status END AS status
    FROM RESERVATION_CLAIMS
) counted
GROUP BY status;

-- find out how long the oldest claim has been over
SELECT EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM oldest - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(oldest, 'SSSSSFF6') AS NUMBER(11))) AS overdue_micros
FROM (
SELECT MIN(expires_at) AS oldest
FROM RESERVATION_CLAIMS
WHERE status = 'reserved'
  AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
) lapsed;

-- lock what is over
SELECT reservation_id, claim_type, claim_key, correlation_id, EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) AS expires, version
FROM RESERVATION_CLAIMS
WHERE status = 'reserved'
  AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND ROWNUM <= ?
FOR UPDATE SKIP LOCKED;

-- mark it as expired, in the same transaction
UPDATE RESERVATION_CLAIMS
SET status = 'expired',
    updated_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    version = version + 1
WHERE reservation_id = ?
  AND version = ?
  AND status = 'reserved'
  AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- lock what can be purged
SELECT reservation_id, version
FROM RESERVATION_CLAIMS
WHERE status IN ('reserved', 'released', 'expired')
  AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(? * 0.000001, 'SECOND')
  AND updated_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(? * 0.000001, 'SECOND')
  AND ROWNUM <= ?
FOR UPDATE SKIP LOCKED;

-- purge it, in the same transaction
DELETE FROM RESERVATION_CLAIMS
WHERE reservation_id = ?
  AND version = ?
  AND status IN ('reserved', 'released', 'expired')
  AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(? * 0.000001, 'SECOND')
  AND updated_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(? * 0.000001, 'SECOND');

-- in a caller's transaction: look who has a value, or why a change was refused
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    EXTRACT(DAY FROM confirmed_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(confirmed_at, 'SSSSSFF6') AS NUMBER(11)) AS confirmed,
    EXTRACT(DAY FROM released_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(released_at, 'SSSSSFF6') AS NUMBER(11)) AS released,
    EXTRACT(DAY FROM created_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(created_at, 'SSSSSFF6') AS NUMBER(11)) AS created,
    EXTRACT(DAY FROM updated_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(updated_at, 'SSSSSFF6') AS NUMBER(11)) AS updated,
    status,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) AS expires,
    EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?
FOR UPDATE;
