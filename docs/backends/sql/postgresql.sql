-- All statements that reservation-lock sends to a lock table on postgresql, as they are sent.
-- Each is a transaction of its own. The table is what java -jar reservation-lock.jar ddl postgresql prints.
-- This file is written by SqlFilesTest; do not edit it.

-- check the columns, once
SELECT COUNT(*)
FROM (
    SELECT reservation_key, holder FROM RESERVATION_LOCKS WHERE 1 = 0
    UNION ALL
    SELECT 'a', 'a'
) probe
WHERE reservation_key IN ('A', 'a ')
   OR reservation_key = ?
   OR holder IN ('A', 'a ')
   OR holder = ?;

-- acquire a key that is known to have a row
UPDATE RESERVATION_LOCKS
SET fence = COALESCE(fence + 1, CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT)),
    holder = ?,
    acquired_at = clock_timestamp() AT TIME ZONE 'UTC',
    expires_at = clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond'
WHERE reservation_key = ?
  AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
RETURNING fence AS fence;

-- acquire any other key
INSERT INTO RESERVATION_LOCKS AS lease (reservation_key, holder, acquired_at, expires_at, fence)
VALUES (?, ?, clock_timestamp() AT TIME ZONE 'UTC', clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond', CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT))
ON CONFLICT (reservation_key) DO UPDATE
SET holder = EXCLUDED.holder,
    acquired_at = EXCLUDED.acquired_at,
    expires_at = EXCLUDED.expires_at,
    fence = COALESCE(lease.fence + 1, EXCLUDED.fence)
WHERE lease.expires_at <= EXCLUDED.acquired_at
RETURNING TRUE AS granted, fence AS fence, 0 AS remaining;

-- renew
UPDATE RESERVATION_LOCKS
SET expires_at = GREATEST(expires_at, clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond')
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- release
UPDATE RESERVATION_LOCKS
SET expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING set_config('synchronous_commit', 'off', TRUE);

-- release, several in one batch
UPDATE RESERVATION_LOCKS
SET expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- force release
UPDATE RESERVATION_LOCKS
SET expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- find
SELECT reservation_key, holder, CAST(EXTRACT(EPOCH FROM (acquired_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS since, CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining, fence AS fence
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- list
SELECT reservation_key, holder, CAST(EXTRACT(EPOCH FROM (acquired_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS since, CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining, fence AS fence
FROM RESERVATION_LOCKS
WHERE reservation_key LIKE ? ESCAPE '!'
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- find what can be purged
SELECT reservation_key
FROM RESERVATION_LOCKS
WHERE expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
  AND acquired_at <= clock_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond'
LIMIT ?;

-- purge
DELETE FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
  AND acquired_at <= clock_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond';
