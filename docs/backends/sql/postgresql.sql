-- All statements that reservation-lock sends to a lock table on postgresql, as they are sent.
-- Each is a transaction of its own. The table is what java -jar reservation-lock.jar ddl postgresql prints.
-- This file is written by SqlFilesTest; do not edit it.

-- check how keys are compared, once
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

-- check which columns there are, and how times are kept, once
SELECT * FROM RESERVATION_LOCKS WHERE 1 = 0;

-- acquire a key that the manager was granted before
UPDATE RESERVATION_LOCKS
SET fence = GREATEST(COALESCE(fence, 0) + 1, CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT)),
    holder = ?,
    acquired_at = clock_timestamp() AT TIME ZONE 'UTC',
    expires_at = clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond'
WHERE reservation_key = ?
  AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
  AND waiters IS NULL
RETURNING fence;

-- acquire a key as the first node in its queue
UPDATE RESERVATION_LOCKS
SET fence = GREATEST(COALESCE(fence, 0) + 1, CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT)),
    waiters = NULLIF(SUBSTR(waiters, 18), ''),
    holder = ?,
    acquired_at = clock_timestamp() AT TIME ZONE 'UTC',
    expires_at = clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond'
WHERE reservation_key = ?
  AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
  AND SUBSTR(waiters, 1, 17) = ?
RETURNING fence;

-- acquire
INSERT INTO RESERVATION_LOCKS AS lease (reservation_key, holder, acquired_at, expires_at, fence)
VALUES (?, ?, clock_timestamp() AT TIME ZONE 'UTC', clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond', CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT))
ON CONFLICT (reservation_key) DO UPDATE
SET holder = EXCLUDED.holder,
    acquired_at = EXCLUDED.acquired_at,
    expires_at = EXCLUDED.expires_at,
    fence = GREATEST(lease.fence + 1, EXCLUDED.fence)
WHERE lease.expires_at <= EXCLUDED.acquired_at
  AND lease.waiters IS NULL
RETURNING TRUE AS granted, fence;

-- acquire a key that other nodes want, or join the queue
INSERT INTO RESERVATION_LOCKS AS lease (reservation_key, holder, acquired_at, expires_at, fence)
VALUES (?, ?, clock_timestamp() AT TIME ZONE 'UTC', clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond', CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT))
ON CONFLICT (reservation_key) DO UPDATE
SET holder = CASE WHEN lease.expires_at <= EXCLUDED.acquired_at
  AND (lease.waiters IS NULL OR lease.reserved_until IS NULL OR lease.reserved_until <= EXCLUDED.acquired_at
       OR SUBSTR(lease.waiters, 1, 17) = ?) THEN EXCLUDED.holder ELSE lease.holder END,
    acquired_at = CASE WHEN lease.expires_at <= EXCLUDED.acquired_at
  AND (lease.waiters IS NULL OR lease.reserved_until IS NULL OR lease.reserved_until <= EXCLUDED.acquired_at
       OR SUBSTR(lease.waiters, 1, 17) = ?) THEN EXCLUDED.acquired_at ELSE lease.acquired_at END,
    expires_at = CASE WHEN lease.expires_at <= EXCLUDED.acquired_at
  AND (lease.waiters IS NULL OR lease.reserved_until IS NULL OR lease.reserved_until <= EXCLUDED.acquired_at
       OR SUBSTR(lease.waiters, 1, 17) = ?) THEN EXCLUDED.expires_at ELSE lease.expires_at END,
    fence = CASE WHEN lease.expires_at <= EXCLUDED.acquired_at
  AND (lease.waiters IS NULL OR lease.reserved_until IS NULL OR lease.reserved_until <= EXCLUDED.acquired_at
       OR SUBSTR(lease.waiters, 1, 17) = ?) THEN GREATEST(lease.fence + 1, EXCLUDED.fence) ELSE lease.fence END,
    waiters = CASE WHEN lease.expires_at <= EXCLUDED.acquired_at
  AND (lease.waiters IS NULL OR lease.reserved_until IS NULL OR lease.reserved_until <= EXCLUDED.acquired_at
       OR SUBSTR(lease.waiters, 1, 17) = ?) THEN CASE WHEN lease.waiters IS NOT NULL THEN NULLIF(REPLACE(
    CASE WHEN lease.expires_at = TIMESTAMP '1970-01-01 00:00:00' AND SUBSTR(lease.waiters, 1, 17) <> ? THEN SUBSTR(lease.waiters, 18) ELSE lease.waiters END,
    ?, ''), '') END ELSE COALESCE(lease.waiters, '') || ? END
WHERE lease.expires_at <= EXCLUDED.acquired_at
  AND (lease.waiters IS NULL OR lease.reserved_until IS NULL OR lease.reserved_until <= EXCLUDED.acquired_at
       OR SUBSTR(lease.waiters, 1, 17) = ?)
   OR (? AND (lease.waiters IS NULL OR (NOT STRPOS(lease.waiters, ?) <> 0 AND LENGTH(lease.waiters) < 272)))
RETURNING waiters IS NULL OR NOT STRPOS(waiters, ?) <> 0 AS granted, fence, CASE WHEN expires_at > clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) ELSE CAST(EXTRACT(EPOCH FROM (reserved_until) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) END AS remaining,
    CASE WHEN expires_at > clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (acquired_at)) * 1000000 AS BIGINT) ELSE 0 END AS granted_ago, waiters, CASE WHEN STRPOS(waiters, ?) <> 0 THEN set_config('synchronous_commit', 'off', TRUE) END;

-- look for how long the key is held or reserved
SELECT CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining, CAST(EXTRACT(EPOCH FROM (reserved_until) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS reserved, CASE WHEN expires_at > clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (acquired_at)) * 1000000 AS BIGINT) ELSE 0 END AS granted_ago, waiters
FROM RESERVATION_LOCKS
WHERE reservation_key = ?;

-- join the queue
UPDATE RESERVATION_LOCKS
SET waiters = COALESCE(waiters, '') || ?
WHERE reservation_key = ?
  AND (expires_at > clock_timestamp() AT TIME ZONE 'UTC' OR waiters IS NOT NULL)
  AND (waiters IS NULL OR (NOT STRPOS(waiters, ?) <> 0 AND LENGTH(waiters) < 272));

-- renew
UPDATE RESERVATION_LOCKS
SET expires_at = GREATEST(expires_at, clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond')
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
  AND (SELECT set_config('lock_timeout', '250ms', TRUE)) IS NOT NULL;

-- release
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond' END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING waiters IS NOT NULL AS awaited,
    set_config('synchronous_commit', 'off', TRUE),
    CASE WHEN waiters IS NOT NULL AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(pg_notify('reservation_lock_' || SUBSTR(waiters, 1, 8), SUBSTR(waiters, 1, 16) || ENCODE(SHA256(CONVERT_TO(reservation_key, 'UTF8')), 'hex')) AS TEXT) END;

-- release, and join the end of the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond' END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00',
    waiters = CASE WHEN waiters IS NULL OR STRPOS(waiters, ?) <> 0 OR LENGTH(waiters) >= 272 THEN waiters
        ELSE COALESCE(waiters, '') || ? END
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING waiters IS NOT NULL AS awaited,
    set_config('synchronous_commit', 'off', TRUE),
    CASE WHEN waiters IS NOT NULL AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(pg_notify('reservation_lock_' || SUBSTR(waiters, 1, 8), SUBSTR(waiters, 1, 16) || ENCODE(SHA256(CONVERT_TO(reservation_key, 'UTF8')), 'hex')) AS TEXT) END;

-- release, and stay first in the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond' END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00',
    waiters = CASE WHEN waiters IS NOT NULL
        THEN SUBSTR(? || COALESCE(REPLACE(waiters, ?, ''), ''), 1, 272) END
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING waiters IS NOT NULL AS awaited,
    set_config('synchronous_commit', 'off', TRUE);

-- pass on to another thread, unless other nodes wait
UPDATE RESERVATION_LOCKS
SET fence = GREATEST(COALESCE(fence, 0) + 1, CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT)),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, ?, ''), '') END,
    holder = ?,
    acquired_at = clock_timestamp() AT TIME ZONE 'UTC',
    expires_at = clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
  AND (waiters IS NULL OR waiters = ?)
RETURNING fence;

-- pass on to another thread
UPDATE RESERVATION_LOCKS
SET fence = GREATEST(COALESCE(fence, 0) + 1, CAST(EXTRACT(EPOCH FROM (clock_timestamp() AT TIME ZONE 'UTC') - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT)),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, ?, ''), '') END,
    holder = ?,
    acquired_at = clock_timestamp() AT TIME ZONE 'UTC',
    expires_at = clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING fence;

-- force release
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond' END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
RETURNING holder,
    CASE WHEN waiters IS NOT NULL AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(pg_notify('reservation_lock_' || SUBSTR(waiters, 1, 8), SUBSTR(waiters, 1, 16) || ENCODE(SHA256(CONVERT_TO(reservation_key, 'UTF8')), 'hex')) AS TEXT) END;

-- leave the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN SUBSTR(waiters, 1, 17) = ? THEN clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond' ELSE reserved_until END,
    waiters = NULLIF(REPLACE(waiters, ?, ''), '')
WHERE reservation_key = ?
  AND STRPOS(waiters, ?) <> 0
RETURNING CASE WHEN waiters IS NOT NULL AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(pg_notify('reservation_lock_' || SUBSTR(waiters, 1, 8), SUBSTR(waiters, 1, 16) || ENCODE(SHA256(CONVERT_TO(reservation_key, 'UTF8')), 'hex')) AS TEXT) END;

-- renew several leases
UPDATE RESERVATION_LOCKS lease
SET expires_at = GREATEST(lease.expires_at, clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond')
FROM UNNEST(CAST(? AS TEXT[]), CAST(? AS TEXT[])) AS wanted (reservation_key, holder)
WHERE lease.reservation_key = wanted.reservation_key
  AND lease.holder = wanted.holder
  AND lease.expires_at > clock_timestamp() AT TIME ZONE 'UTC'
  AND (SELECT set_config('lock_timeout', '250ms', TRUE)) IS NOT NULL;

-- renew several leases: some are locked or lost
WITH unlocked AS (
    SELECT reservation_key
    FROM RESERVATION_LOCKS
    WHERE (reservation_key, holder) IN (SELECT * FROM UNNEST(CAST(? AS TEXT[]), CAST(? AS TEXT[])) AS wanted)
      AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
    FOR UPDATE SKIP LOCKED
)
UPDATE RESERVATION_LOCKS
SET expires_at = GREATEST(expires_at, clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond')
WHERE reservation_key IN (SELECT reservation_key FROM unlocked)
RETURNING reservation_key, holder;

-- release several leases
WITH unlocked AS (
    SELECT reservation_key
    FROM RESERVATION_LOCKS
    WHERE (reservation_key, holder) IN (SELECT * FROM UNNEST(CAST(? AS TEXT[]), CAST(? AS TEXT[])) AS wanted)
      AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'
    FOR UPDATE SKIP LOCKED
)
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond' END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key IN (SELECT reservation_key FROM unlocked)
RETURNING reservation_key,
    holder,
    set_config('synchronous_commit', 'off', TRUE),
    CASE WHEN waiters IS NOT NULL AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC' THEN CAST(pg_notify('reservation_lock_' || SUBSTR(waiters, 1, 8), SUBSTR(waiters, 1, 16) || ENCODE(SHA256(CONVERT_TO(reservation_key, 'UTF8')), 'hex')) AS TEXT) END;

-- several leases: find those that still run
SELECT reservation_key, holder
FROM RESERVATION_LOCKS
WHERE (reservation_key, holder) IN (SELECT * FROM UNNEST(CAST(? AS TEXT[]), CAST(? AS TEXT[])) AS wanted)
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- find
SELECT reservation_key, holder, CAST(EXTRACT(EPOCH FROM (acquired_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS since, CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining, fence
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- list
SELECT reservation_key, holder, CAST(EXTRACT(EPOCH FROM (acquired_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS since, CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining, fence
FROM RESERVATION_LOCKS
WHERE reservation_key LIKE ? ESCAPE '!'
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- find what can be purged
SELECT reservation_key
FROM RESERVATION_LOCKS
WHERE expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
  AND acquired_at <= statement_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond'
LIMIT ?;

-- purge
DELETE FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC'
  AND acquired_at <= statement_timestamp() AT TIME ZONE 'UTC' - ? * INTERVAL '1 microsecond';

-- on a table of four columns: acquire
UPDATE RESERVATION_LOCKS
SET holder = ?,
    acquired_at = clock_timestamp() AT TIME ZONE 'UTC',
    expires_at = clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond'
WHERE reservation_key = ?
  AND expires_at <= clock_timestamp() AT TIME ZONE 'UTC';

-- on a table of four columns: acquire a key that has no row
INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at)
VALUES (?, ?, clock_timestamp() AT TIME ZONE 'UTC', clock_timestamp() AT TIME ZONE 'UTC' + ? * INTERVAL '1 microsecond');

-- on a table of four columns: release
UPDATE RESERVATION_LOCKS
SET expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- on a table of four columns: find
SELECT reservation_key, holder, CAST(EXTRACT(EPOCH FROM (acquired_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS since, CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining, NULL AS fence
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';

-- on a table of four columns: list
SELECT reservation_key, holder, CAST(EXTRACT(EPOCH FROM (acquired_at) - (TIMESTAMP '1970-01-01 00:00:00')) * 1000000 AS BIGINT) AS since, CAST(EXTRACT(EPOCH FROM (expires_at) - (clock_timestamp() AT TIME ZONE 'UTC')) * 1000000 AS BIGINT) AS remaining, NULL AS fence
FROM RESERVATION_LOCKS
WHERE reservation_key LIKE ? ESCAPE '!'
  AND expires_at > clock_timestamp() AT TIME ZONE 'UTC';
