-- All statements that reservation-lock sends to a lock table on mysql, as they are sent.
-- Each is a transaction of its own. The table is what java -jar reservation-lock.jar ddl mysql prints.
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

-- acquire
UPDATE RESERVATION_LOCKS
SET fence = LAST_INSERT_ID(GREATEST(COALESCE(fence, 0) + 1, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)))),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(
    CASE WHEN expires_at = TIMESTAMP '1970-01-01 00:00:00' AND SUBSTR(waiters, 1, 17) <> ? THEN SUBSTR(waiters, 18) ELSE waiters END,
    ?, ''), '') END,
    holder = ?,
    acquired_at = UTC_TIMESTAMP(6),
    expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
WHERE reservation_key = ?
  AND expires_at <= UTC_TIMESTAMP(6)
  AND (waiters IS NULL OR reserved_until IS NULL OR reserved_until <= UTC_TIMESTAMP(6)
       OR SUBSTR(waiters, 1, 17) = ?);

-- acquire a key that has no row
INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at, fence)
VALUES (?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))));

-- look for how long the key is held or reserved
SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), reserved_until) AS reserved, CASE WHEN expires_at > UTC_TIMESTAMP(6) THEN TIMESTAMPDIFF(MICROSECOND, acquired_at, UTC_TIMESTAMP(6)) ELSE 0 END AS granted_ago, waiters
FROM RESERVATION_LOCKS
WHERE reservation_key = ?;

-- join the queue
UPDATE RESERVATION_LOCKS
SET waiters = CONCAT(COALESCE(waiters, ''), ?)
WHERE reservation_key = ?
  AND (expires_at > UTC_TIMESTAMP(6) OR waiters IS NOT NULL)
  AND (waiters IS NULL OR (NOT INSTR(waiters, ?) > 0 AND LENGTH(waiters) < 272));

-- renew
UPDATE RESERVATION_LOCKS
SET expires_at = GREATEST(expires_at, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- renew several leases, with a list of 10 or 100
UPDATE RESERVATION_LOCKS FORCE INDEX (PRIMARY)
SET expires_at = GREATEST(expires_at, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)
WHERE ((reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?))
  AND expires_at > UTC_TIMESTAMP(6);

-- renew several leases: one is locked, find the others
SELECT reservation_key
FROM RESERVATION_LOCKS FORCE INDEX (PRIMARY)
WHERE ((reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?)
    OR (reservation_key = ? AND holder = ?))
  AND expires_at > UTC_TIMESTAMP(6)
FOR UPDATE SKIP LOCKED;

-- release
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- release, and join the end of the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00',
    waiters = CASE WHEN waiters IS NULL OR INSTR(waiters, ?) > 0 OR LENGTH(waiters) >= 272 THEN waiters
        ELSE CONCAT(COALESCE(waiters, ''), ?) END
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- release, and stay first in the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00',
    waiters = CASE WHEN waiters IS NOT NULL
        THEN SUBSTR(CONCAT(?, COALESCE(REPLACE(waiters, ?, ''), '')), 1, 272) END
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- pass on to another thread, unless other nodes wait
UPDATE RESERVATION_LOCKS
SET fence = LAST_INSERT_ID(GREATEST(COALESCE(fence, 0) + 1, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)))),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, ?, ''), '') END,
    holder = ?,
    acquired_at = UTC_TIMESTAMP(6),
    expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6)
  AND (waiters IS NULL OR waiters = ?);

-- pass on to another thread
UPDATE RESERVATION_LOCKS
SET fence = LAST_INSERT_ID(GREATEST(COALESCE(fence, 0) + 1, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)))),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, ?, ''), '') END,
    holder = ?,
    acquired_at = UTC_TIMESTAMP(6),
    expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- leave the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN SUBSTR(waiters, 1, 17) = ? THEN UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND ELSE reserved_until END,
    waiters = NULLIF(REPLACE(waiters, ?, ''), '')
WHERE reservation_key = ?
  AND INSTR(waiters, ?) > 0;

-- find
SELECT reservation_key, holder, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', acquired_at) AS since, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining, fence
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- list
SELECT reservation_key, holder, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', acquired_at) AS since, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining, fence
FROM RESERVATION_LOCKS
WHERE CONCAT(reservation_key, '') LIKE ? ESCAPE '!'
  AND expires_at > UTC_TIMESTAMP(6);

-- find what can be purged
SELECT reservation_key
FROM RESERVATION_LOCKS
WHERE expires_at <= UTC_TIMESTAMP(6)
  AND acquired_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
LIMIT ?;

-- purge
DELETE FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at <= UTC_TIMESTAMP(6)
  AND acquired_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND;

-- on a table of four columns: acquire
UPDATE RESERVATION_LOCKS
SET holder = ?,
    acquired_at = UTC_TIMESTAMP(6),
    expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
WHERE reservation_key = ?
  AND expires_at <= UTC_TIMESTAMP(6);

-- on a table of four columns: acquire a key that has no row
INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at)
VALUES (?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND);

-- on a table of four columns: release
UPDATE RESERVATION_LOCKS
SET expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- on a table of four columns: find
SELECT reservation_key, holder, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', acquired_at) AS since, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining, NULL AS fence
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- on a table of four columns: list
SELECT reservation_key, holder, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', acquired_at) AS since, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining, NULL AS fence
FROM RESERVATION_LOCKS
WHERE CONCAT(reservation_key, '') LIKE ? ESCAPE '!'
  AND expires_at > UTC_TIMESTAMP(6);
