-- All statements that a TableExpirationSource sends on oracle, for the orders in docs/EXPIRATION.md.
-- A batch is a transaction: lock, change, and the statements of your work.
-- This file is written by ExpirationSqlFilesTest; do not edit it.

-- check the columns and the condition, once
SELECT hold_expires_at, order_id, status, version, store_id, user_id, item_id, quantity FROM pickup_orders t WHERE 1 = 0
  AND (order_type = 'RESERVE_PICKUP');

-- find the first overdue rows
SELECT *
FROM (
SELECT order_id, hold_expires_at AS due
FROM pickup_orders t
WHERE status = 'RESERVED'
  AND hold_expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND (order_type = 'RESERVE_PICKUP')
ORDER BY hold_expires_at, order_id
)
WHERE ROWNUM <= ?;

-- find the next overdue rows
SELECT *
FROM (
SELECT order_id, hold_expires_at AS due
FROM pickup_orders t
WHERE status = 'RESERVED'
  AND hold_expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND (order_type = 'RESERVE_PICKUP')
  AND hold_expires_at >= ?
  AND (hold_expires_at > ? OR order_id > ?)
ORDER BY hold_expires_at, order_id
)
WHERE ROWNUM <= ?;

-- lock rows that are still overdue, with a list of 1, 10, 100 or 500 keys
SELECT (SELECT EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11)) FROM dual) AS now_micros, order_id, hold_expires_at, store_id, user_id, item_id, quantity
FROM pickup_orders t
WHERE order_id IN (?)
  AND status = 'RESERVED'
  AND hold_expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND (order_type = 'RESERVE_PICKUP')
ORDER BY order_id
FOR UPDATE SKIP LOCKED;

-- change their status, with a list of as many keys
UPDATE pickup_orders
SET status = 'EXPIRED', version = version + 1
WHERE order_id IN (?)
  AND status = 'RESERVED';

-- read overdue rows without locks, with a list of as many keys
SELECT (SELECT EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11)) FROM dual) AS now_micros, order_id, hold_expires_at, store_id, user_id, item_id, quantity
FROM pickup_orders t
WHERE order_id IN (?)
  AND status = 'RESERVED'
  AND hold_expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND (order_type = 'RESERVE_PICKUP')
ORDER BY order_id;

-- find out how long the oldest row has been overdue
SELECT EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'SSSSSFF6') AS NUMBER(11)) - (EXTRACT(DAY FROM oldest - TIMESTAMP '1970-01-01 00:00:00') * 86400000000 + CAST(TO_CHAR(oldest, 'SSSSSFF6') AS NUMBER(11))) AS overdue_micros
FROM (
SELECT MIN(hold_expires_at) AS oldest
FROM pickup_orders t
WHERE status = 'RESERVED'
  AND hold_expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)
  AND (order_type = 'RESERVE_PICKUP')
) overdue;
