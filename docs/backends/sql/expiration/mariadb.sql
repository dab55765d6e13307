-- All statements that a TableExpirationSource sends on mariadb, for the orders in docs/EXPIRATION.md.
-- A batch is a transaction: lock, change, and the statements of your work.
-- This file is written by ExpirationSqlFilesTest; do not edit it.

-- check the columns and the condition, once
SELECT hold_expires_at, order_id, status, version, store_id, user_id, item_id, quantity FROM pickup_orders t WHERE 1 = 0
  AND (order_type = 'RESERVE_PICKUP');

-- find the first overdue rows
SELECT order_id, hold_expires_at AS due
FROM pickup_orders t
WHERE status = 'RESERVED'
  AND hold_expires_at <= UTC_TIMESTAMP(6)
  AND (order_type = 'RESERVE_PICKUP')
ORDER BY hold_expires_at, order_id
LIMIT ?;

-- find the next overdue rows
SELECT order_id, hold_expires_at AS due
FROM pickup_orders t
WHERE status = 'RESERVED'
  AND hold_expires_at <= UTC_TIMESTAMP(6)
  AND (order_type = 'RESERVE_PICKUP')
  AND hold_expires_at >= ?
  AND (hold_expires_at > ? OR order_id > ?)
ORDER BY hold_expires_at, order_id
LIMIT ?;

-- lock rows that are still overdue, with a list of 1, 10, 100 or 500 keys
SELECT (SELECT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))) AS now_micros, order_id, hold_expires_at, store_id, user_id, item_id, quantity
FROM pickup_orders t
WHERE order_id IN (?)
  AND status = 'RESERVED'
  AND hold_expires_at <= UTC_TIMESTAMP(6)
  AND (order_type = 'RESERVE_PICKUP')
ORDER BY order_id
FOR UPDATE SKIP LOCKED;

-- change their status, with a list of as many keys
UPDATE pickup_orders
SET status = 'EXPIRED', version = version + 1
WHERE order_id IN (?)
  AND status = 'RESERVED';

-- mark the transaction, before your work
SAVEPOINT reservation_batch;

-- check that it is the same transaction, after your work
RELEASE SAVEPOINT reservation_batch;

-- read overdue rows without locks, with a list of as many keys
SELECT (SELECT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6))) AS now_micros, order_id, hold_expires_at, store_id, user_id, item_id, quantity
FROM pickup_orders t
WHERE order_id IN (?)
  AND status = 'RESERVED'
  AND hold_expires_at <= UTC_TIMESTAMP(6)
  AND (order_type = 'RESERVE_PICKUP')
ORDER BY order_id;

-- find out how long the oldest row has been overdue
SELECT TIMESTAMPDIFF(MICROSECOND, oldest, UTC_TIMESTAMP(6)) AS overdue_micros
FROM (
SELECT MIN(hold_expires_at) AS oldest
FROM pickup_orders t
WHERE status = 'RESERVED'
  AND hold_expires_at <= UTC_TIMESTAMP(6)
  AND (order_type = 'RESERVE_PICKUP')
) overdue;
