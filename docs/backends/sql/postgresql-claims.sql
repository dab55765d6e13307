-- All statements that reservation-lock sends to a table of claims on postgresql, as they are sent.
-- Each is a transaction of its own, unless it says that it belongs to a caller's.
-- The table is what com.github.reservation.jdbc.Ddl prints for postgresql-claims.
-- This file is written by ClaimSqlFilesTest; do not edit it.

-- check which columns there are, and how times are kept, once
SELECT * FROM RESERVATION_CLAIMS WHERE 1 = 0;

-- reserve a new value
WITH there AS (
SELECT status, expires_at, correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?
), put AS (
INSERT INTO RESERVATION_CLAIMS (
    reservation_id, claim_key, claim_type, claim_value, status, expires_at, correlation_id, token, version,
    created_at, updated_at)
SELECT
    ?, ?, ?, ?, 'reserved', clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond', ?, ?, 1,
    clock_timestamp() AT TIME ZONE 'UTC', clock_timestamp() AT TIME ZONE 'UTC'
WHERE NOT EXISTS (SELECT FROM there)
ON CONFLICT DO NOTHING
RETURNING status, expires_at, correlation_id, token, version
)
SELECT status,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining,
    correlation_id, token, version
FROM there
UNION ALL
SELECT status,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining,
    correlation_id, token, version
FROM put;

-- look who has a value, or why a change was refused
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    CAST(EXTRACT(EPOCH FROM (confirmed_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS confirmed,
    CAST(EXTRACT(EPOCH FROM (released_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS released,
    CAST(EXTRACT(EPOCH FROM (created_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS created,
    CAST(EXTRACT(EPOCH FROM (updated_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS updated,
    status,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?;

-- reserve a value that is free again
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'reserved',
    expires_at = clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond',
    entity_id = NULL,
    confirmed_at = NULL,
    released_at = NULL,
    correlation_id = ?,
    token = ?,
    created_at = clock_timestamp() AT TIME ZONE 'UTC',
    updated_at = clock_timestamp() AT TIME ZONE 'UTC'
WHERE reservation_id = ?
  AND version = ?
  AND (status IN ('released', 'expired') OR (status = 'reserved' AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC'))
RETURNING CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS new_time, claim_type;

-- confirm
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = clock_timestamp() AT TIME ZONE 'UTC',
    updated_at = clock_timestamp() AT TIME ZONE 'UTC'
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING CAST(EXTRACT(EPOCH FROM (confirmed_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS new_time, claim_type;

-- confirm without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'confirmed',
    entity_id = ?,
    confirmed_at = clock_timestamp() AT TIME ZONE 'UTC',
    updated_at = clock_timestamp() AT TIME ZONE 'UTC'
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING CAST(EXTRACT(EPOCH FROM (confirmed_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS new_time, claim_type;

-- release
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = clock_timestamp() AT TIME ZONE 'UTC',
    updated_at = clock_timestamp() AT TIME ZONE 'UTC'
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING CAST(EXTRACT(EPOCH FROM (released_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS new_time, claim_type;

-- release without a token
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = clock_timestamp() AT TIME ZONE 'UTC',
    updated_at = clock_timestamp() AT TIME ZONE 'UTC'
WHERE reservation_id = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING CAST(EXTRACT(EPOCH FROM (released_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS new_time, claim_type;

-- extend
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    expires_at = GREATEST(expires_at, clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond'),
    updated_at = clock_timestamp() AT TIME ZONE 'UTC'
WHERE reservation_id = ?
  AND token = ?
  AND CASE status WHEN 'reserved' THEN expires_at END > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS new_time, claim_type;

-- release the confirmed value of an entity
UPDATE RESERVATION_CLAIMS
SET version = version + 1,
    status = 'released',
    released_at = clock_timestamp() AT TIME ZONE 'UTC',
    updated_at = clock_timestamp() AT TIME ZONE 'UTC'
WHERE reservation_id = ?
  AND CASE status WHEN 'confirmed' THEN version END = ?
RETURNING CAST(EXTRACT(EPOCH FROM (released_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS new_time, claim_type;

-- find
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    CAST(EXTRACT(EPOCH FROM (confirmed_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS confirmed,
    CAST(EXTRACT(EPOCH FROM (released_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS released,
    CAST(EXTRACT(EPOCH FROM (created_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS created,
    CAST(EXTRACT(EPOCH FROM (updated_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS updated,
    status,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?;

-- find by entity
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    CAST(EXTRACT(EPOCH FROM (confirmed_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS confirmed,
    CAST(EXTRACT(EPOCH FROM (released_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS released,
    CAST(EXTRACT(EPOCH FROM (created_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS created,
    CAST(EXTRACT(EPOCH FROM (updated_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS updated,
    status,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE entity_id = ?
  AND status = 'confirmed';

-- count by status
SELECT status, COUNT(*) AS claims
FROM (
    SELECT CASE WHEN status = 'reserved' AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC' THEN 'expired' ELSE status END AS status
    FROM RESERVATION_CLAIMS
) counted
GROUP BY status;

-- find out how long the oldest claim has been over
SELECT CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (oldest)) * 1000000 AS BIGINT) AS overdue_micros
FROM (
SELECT MIN(expires_at) AS oldest
FROM RESERVATION_CLAIMS
WHERE status = 'reserved'
  AND expires_at <= statement_timestamp() AT TIME ZONE 'UTC'
) lapsed;

-- mark what is over as expired
UPDATE RESERVATION_CLAIMS
SET status = 'expired',
    updated_at = clock_timestamp() AT TIME ZONE 'UTC',
    version = version + 1
WHERE reservation_id = ANY (ARRAY(
SELECT reservation_id
FROM RESERVATION_CLAIMS
WHERE status = 'reserved'
  AND expires_at <= statement_timestamp() AT TIME ZONE 'UTC'
ORDER BY expires_at
LIMIT ?
FOR UPDATE SKIP LOCKED))
RETURNING reservation_id, claim_type, claim_key, correlation_id, CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires, version;

-- lock what can be purged
SELECT reservation_id, version
FROM RESERVATION_CLAIMS
WHERE status IN ('reserved', 'released', 'expired')
  AND expires_at <= statement_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond'
  AND updated_at <= statement_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond'
LIMIT ?
FOR UPDATE SKIP LOCKED;

-- purge it, in the same transaction
DELETE FROM RESERVATION_CLAIMS
WHERE reservation_id = ?
  AND version = ?
  AND status IN ('reserved', 'released', 'expired')
  AND expires_at <= statement_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond'
  AND updated_at <= statement_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond';

-- in a caller's transaction: reserve a new value
INSERT INTO RESERVATION_CLAIMS (
    reservation_id, claim_key, claim_type, claim_value, status, expires_at, correlation_id, token, version,
    created_at, updated_at)
VALUES (
    ?, ?, ?, ?, 'reserved', clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond', ?, ?, 1,
    clock_timestamp() AT TIME ZONE 'UTC', clock_timestamp() AT TIME ZONE 'UTC')
ON CONFLICT DO NOTHING
RETURNING status,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining,
    correlation_id, token, version;

-- in a caller's transaction: look who has a value, or why a change was refused
SELECT reservation_id, claim_key, claim_type, claim_value, entity_id,
    CAST(EXTRACT(EPOCH FROM (confirmed_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS confirmed,
    CAST(EXTRACT(EPOCH FROM (released_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS released,
    CAST(EXTRACT(EPOCH FROM (created_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS created,
    CAST(EXTRACT(EPOCH FROM (updated_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS updated,
    status,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS expires,
    CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining,
    correlation_id, token, version
FROM RESERVATION_CLAIMS
WHERE reservation_id = ?
FOR UPDATE;
