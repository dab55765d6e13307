-- All statements that reservation-lock sends to a table of claims on mysql, as they are sent.
-- Each is a transaction of its own, unless it says that it belongs to a caller's.
-- The table is what com.github.reservation.jdbc.Ddl prints for mysql-claims.
-- This file is written by ClaimSqlFilesTest; do not edit it.

-- check which columns there are, and how times are kept, once
SELECT * FROM RESERVATION_CLAIMS WHERE 1 = 0;

-- reserve a new value
INSERT INTO RESERVATION_CLAIMS (
    reservation_id, claim_key, claim_type, claim_value, status, expires_at, correlation_id, token, version,
    created_at, updated_at)
VALUES (
    ?, ?, ?, ?, 'reserved', UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, ?, ?, 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)),
    UTC_TIMESTAMP(6), UTC_TIMESTAMP(6));

-- look who has a value, or why a change was refused
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', confirmed_at) AS confirmed,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', released_at) AS released,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', created_at) AS created,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', updated_at) AS updated,
    status,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', expires_at) AS expires,
    TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?;

-- reserve a value that is free again
UPDATE RESERVATION_CLAIMS
SET version = version + 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)),
    status = 'reserved',
    expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
    entity_id = NULL,
    confirmed_at = NULL,
    released_at = NULL,
    correlation_id = ?,
    token = ?,
    created_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND version = ?
  AND (status IN ('released', 'expired') OR (status = 'reserved' AND expires_at <= UTC_TIMESTAMP(6)));

-- confirm
UPDATE RESERVATION_CLAIMS
SET version = version + 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))),
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- confirm without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))),
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- release
UPDATE RESERVATION_CLAIMS
SET version = version + 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))),
    status = 'released',
    released_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- release without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))),
    status = 'released',
    released_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- extend
UPDATE RESERVATION_CLAIMS
SET version = version + 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', GREATEST(expires_at, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND))),
    expires_at = GREATEST(expires_at, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- release the confirmed value of an entity
UPDATE RESERVATION_CLAIMS
SET version = version + 1 + 0 * LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))),
    status = 'released',
    released_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND CASE status WHEN 'confirmed' THEN version END = ?;

-- find
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', confirmed_at) AS confirmed,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', released_at) AS released,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', created_at) AS created,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', updated_at) AS updated,
    status,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', expires_at) AS expires,
    TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?;

-- find by entity
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', confirmed_at) AS confirmed,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', released_at) AS released,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', created_at) AS created,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', updated_at) AS updated,
    status,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', expires_at) AS expires,
    TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE entity_id = ?
  AND status = 'confirmed';

-- count by status
SELECT status, COUNT(*) AS claims
FROM (
    SELECT CASE WHEN status = 'reserved' AND expires_at <= UTC_TIMESTAMP(6) THEN 'expired' ELSE status END AS status
    FROM RESERVATION_CLAIMS
) counted
GROUP BY status;

-- find out how long the oldest claim has been over
SELECT TIMESTAMPDIFF(MICROSECOND, oldest, UTC_TIMESTAMP(6)) AS overdue_micros
FROM (
SELECT MIN(expires_at) AS oldest
FROM RESERVATION_CLAIMS
WHERE status = 'reserved'
  AND expires_at <= UTC_TIMESTAMP(6)
) lapsed;

-- lock what is over
SELECT reservation_id, claim_type, claim_key, correlation_id, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', expires_at) AS expires, version
FROM RESERVATION_CLAIMS
WHERE status = 'reserved'
  AND expires_at <= UTC_TIMESTAMP(6)
LIMIT ?
FOR UPDATE SKIP LOCKED;

-- mark it as expired, in the same transaction
UPDATE RESERVATION_CLAIMS
SET status = 'expired',
    updated_at = UTC_TIMESTAMP(6),
    version = version + 1
WHERE reservation_id = ?
  AND version = ?
  AND status = 'reserved'
  AND expires_at <= UTC_TIMESTAMP(6);

-- lock what can be purged
SELECT reservation_id, version
FROM RESERVATION_CLAIMS
WHERE status IN ('reserved', 'released', 'expired')
  AND expires_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
  AND updated_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
LIMIT ?
FOR UPDATE SKIP LOCKED;

-- purge it, in the same transaction
DELETE FROM RESERVATION_CLAIMS
WHERE reservation_id = ?
  AND version = ?
  AND status IN ('reserved', 'released', 'expired')
  AND expires_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
  AND updated_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND;

-- in a caller's transaction: reserve a new value
INSERT INTO RESERVATION_CLAIMS (
    reservation_id, claim_key, claim_type, claim_value, status, expires_at, correlation_id, token, version,
    created_at, updated_at)
VALUES (
    ?, ?, ?, ?, 'reserved', UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, ?, ?, 1,
    UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))
ON DUPLICATE KEY UPDATE version = version;

-- in a caller's transaction: look who has a value, or why a change was refused
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', confirmed_at) AS confirmed,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', released_at) AS released,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', created_at) AS created,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', updated_at) AS updated,
    status,
    TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', expires_at) AS expires,
    TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?
FOR UPDATE;

-- in a caller's transaction: reserve a value that is free again
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'reserved',
    expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
    entity_id = NULL,
    confirmed_at = NULL,
    released_at = NULL,
    correlation_id = ?,
    token = ?,
    created_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND version = ?
  AND (status IN ('released', 'expired') OR (status = 'reserved' AND expires_at <= UTC_TIMESTAMP(6)));

-- in a caller's transaction: confirm
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- in a caller's transaction: confirm without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- in a caller's transaction: release
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- in a caller's transaction: release without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- in a caller's transaction: extend
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    expires_at = GREATEST(expires_at, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > UTC_TIMESTAMP(6);

-- in a caller's transaction: release the confirmed value of an entity
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = UTC_TIMESTAMP(6),
    updated_at = UTC_TIMESTAMP(6)
WHERE reservation_id = ?
  AND CASE status WHEN 'confirmed' THEN version END = ?;
