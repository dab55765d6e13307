-- All statements that reservation-lock sends to a lock table on mariadb, as they are sent.
-- Each is a transaction of its own. The table is what java -jar reservation-lock.jar ddl mariadb prints.
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
SET fence = LAST_INSERT_ID(COALESCE(fence + 1, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)))),
    holder = ?,
    acquired_at = UTC_TIMESTAMP(6),
    expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
WHERE reservation_key = ?
  AND expires_at <= UTC_TIMESTAMP(6);

-- acquire any other key
INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at, fence)
VALUES (?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)))
ON DUPLICATE KEY UPDATE
    fence = IF(expires_at <= UTC_TIMESTAMP(6), COALESCE(fence + 1, VALUES(fence)), fence),
    holder = IF(expires_at <= UTC_TIMESTAMP(6), VALUES(holder), holder),
    acquired_at = IF(expires_at <= UTC_TIMESTAMP(6), VALUES(acquired_at), acquired_at),
    expires_at = IF(expires_at <= UTC_TIMESTAMP(6), VALUES(expires_at), expires_at)
RETURNING holder = ? AND acquired_at = UTC_TIMESTAMP(6) AS granted, fence AS fence, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining;

-- renew
UPDATE RESERVATION_LOCKS
SET expires_at = GREATEST(expires_at, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- release
UPDATE RESERVATION_LOCKS
SET expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- force release
UPDATE RESERVATION_LOCKS
SET expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- find
SELECT reservation_key, holder, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', acquired_at) AS since, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining, fence AS fence
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at > UTC_TIMESTAMP(6);

-- list
SELECT reservation_key, holder, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', acquired_at) AS since, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining, fence AS fence
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
