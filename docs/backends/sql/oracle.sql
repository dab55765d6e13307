-- All statements that reservation-lock sends to a lock table on oracle, as they are sent.
-- Each is a transaction of its own. The table is what java -jar reservation-lock.jar ddl oracle prints.
-- But many leases are renewed or released in batches, and up to 100 of them are one transaction.
-- This file is written by SqlFilesTest; do not edit it.

-- check how keys are compared, once
SELECT COUNT(*)
FROM (
    SELECT reservation_key, holder FROM RESERVATION_LOCKS WHERE 1 = 0
    UNION ALL
    SELECT 'a', 'a' FROM dual
) probe
WHERE NLSSORT(reservation_key, 'NLS_SORT = BINARY') IN (NLSSORT('A', 'NLS_SORT = BINARY'), NLSSORT('a ', 'NLS_SORT = BINARY'))
   OR NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
   OR NLSSORT(holder, 'NLS_SORT = BINARY') IN (NLSSORT('A', 'NLS_SORT = BINARY'), NLSSORT('a ', 'NLS_SORT = BINARY'))
   OR NLSSORT(holder, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
   OR NLSSORT(TO_CHAR(UNISTR('\4E2D')), 'NLS_SORT = BINARY') = NLSSORT(TO_CHAR(UNISTR('\0416')), 'NLS_SORT = BINARY');

-- check which columns there are, and how times are kept, once
SELECT * FROM RESERVATION_LOCKS WHERE 1 = 0;

-- acquire
UPDATE RESERVATION_LOCKS
SET fence = COALESCE(fence + 1, EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(
    CASE WHEN expires_at = TIMESTAMP '1970-01-01 00:00:00' AND SUBSTR(waiters, 1, 17) <> ? THEN SUBSTR(waiters, 18) ELSE waiters END,
    ?, ''), '') END,
    holder = ?,
    acquired_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    expires_at = SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND')
WHERE reservation_key = ?
  AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND (waiters IS NULL OR reserved_until IS NULL OR reserved_until <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
       OR SUBSTR(waiters, 1, 17) = ?)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- acquire a key that has no row
INSERT INTO RESERVATION_LOCKS (reservation_key, holder, acquired_at, expires_at, fence)
VALUES (?, ?, SYS_EXTRACT_UTC(SYSTIMESTAMP), SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND'), EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11)));

-- look for how long the key is held or reserved
SELECT EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS remaining, EXTRACT(DAY FROM reserved_until - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(reserved_until, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS reserved, CASE WHEN expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM acquired_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(acquired_at, 'SSSSSFF6') AS NUMBER(11))) ELSE 0 END AS granted_ago, waiters
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- join the queue
UPDATE RESERVATION_LOCKS
SET waiters = COALESCE(waiters, '') || ?
WHERE reservation_key = ?
  AND (expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP) OR waiters IS NOT NULL)
  AND (waiters IS NULL OR (NOT INSTR(waiters, ?) > 0 AND LENGTH(waiters) < 272))
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- renew
UPDATE RESERVATION_LOCKS
SET expires_at = GREATEST(expires_at, SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND'))
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
  AND NLSSORT(holder, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- release
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND') END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
  AND NLSSORT(holder, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- release, and join the end of the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND') END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00',
    waiters = CASE WHEN waiters IS NULL OR INSTR(waiters, ?) > 0 OR LENGTH(waiters) >= 272 THEN waiters
        ELSE COALESCE(waiters, '') || ? END
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
  AND NLSSORT(holder, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- release, and stay first in the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND') END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00',
    waiters = CASE WHEN waiters IS NOT NULL
        THEN SUBSTR(? || COALESCE(REPLACE(waiters, ?, ''), ''), 1, 272) END
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
  AND NLSSORT(holder, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- pass on to another thread, unless other nodes wait
UPDATE RESERVATION_LOCKS
SET fence = COALESCE(fence + 1, EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, ?, ''), '') END,
    holder = ?,
    acquired_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    expires_at = SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND')
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND (waiters IS NULL OR waiters = ?)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
  AND NLSSORT(holder, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- pass on to another thread
UPDATE RESERVATION_LOCKS
SET fence = COALESCE(fence + 1, EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))),
    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, ?, ''), '') END,
    holder = ?,
    acquired_at = SYS_EXTRACT_UTC(SYSTIMESTAMP),
    expires_at = SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND')
WHERE reservation_key = ?
  AND holder = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY')
  AND NLSSORT(holder, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- force release
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND') END,
    expires_at = TIMESTAMP '1970-01-01 00:00:00'
WHERE reservation_key = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- leave the queue
UPDATE RESERVATION_LOCKS
SET reserved_until = CASE WHEN SUBSTR(waiters, 1, 17) = ? THEN SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(? * 0.000001, 'SECOND') ELSE reserved_until END,
    waiters = NULLIF(REPLACE(waiters, ?, ''), '')
WHERE reservation_key = ?
  AND INSTR(waiters, ?) > 0
  AND NLSSORT(reservation_key, 'NLS_SORT = BINARY') = NLSSORT(?, 'NLS_SORT = BINARY');

-- find
SELECT reservation_key, holder, EXTRACT(DAY FROM acquired_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(acquired_at, 'SSSSSFF6') AS NUMBER(11)) AS since, EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS remaining, fence
FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- list
SELECT reservation_key, holder, EXTRACT(DAY FROM acquired_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(acquired_at, 'SSSSSFF6') AS NUMBER(11)) AS since, EXTRACT(DAY FROM expires_at - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(expires_at, 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11))) AS remaining, fence
FROM RESERVATION_LOCKS
WHERE reservation_key LIKE ? ESCAPE '!'
  AND expires_at > SYS_EXTRACT_UTC(SYSTIMESTAMP);

-- find what can be purged
SELECT reservation_key
FROM RESERVATION_LOCKS
WHERE expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND acquired_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(? * 0.000001, 'SECOND')
  AND ROWNUM <= ?;

-- purge
DELETE FROM RESERVATION_LOCKS
WHERE reservation_key = ?
  AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND acquired_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(? * 0.000001, 'SECOND');
