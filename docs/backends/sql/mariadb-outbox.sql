-- All statements that reservation-lock sends to the tables of an outbox on mariadb, as they are sent.
-- Most are transactions of their own. Those that append belong to a caller's. Those that move, remove,
-- retry or forget deliveries, and those that register a listener, share one with their neighbours.
-- The tables are what com.github.reservation.jdbc.Ddl prints for mariadb-outbox.
-- This file is written by OutboxSqlFilesTest; do not edit it.

-- check the columns of the table of events, once
SELECT * FROM RESERVATION_OUTBOX WHERE 1 = 0;

-- check the columns of the table of deliveries, once
SELECT * FROM RESERVATION_OUTBOX_DELIVERIES WHERE 1 = 0;

-- check the columns of the table of keys, once
SELECT * FROM RESERVATION_OUTBOX_KEYS WHERE 1 = 0;

-- check the columns of the table of lanes, once
SELECT * FROM RESERVATION_OUTBOX_LANES WHERE 1 = 0;

-- check the columns of the table of listeners, once
SELECT * FROM RESERVATION_OUTBOX_LISTENERS WHERE 1 = 0;

-- append, in the caller's transaction: read who wants events, with a list of 1, 10, 100 or 500 types
SELECT event_type, listener_id
FROM RESERVATION_OUTBOX_LISTENERS
WHERE event_type IN (?);

-- append: insert an event
INSERT INTO RESERVATION_OUTBOX (event_key, event_type, payload, created_at)
VALUES (?, ?, ?, UTC_TIMESTAMP(6));

-- append: insert a delivery
INSERT INTO RESERVATION_OUTBOX_DELIVERIES (event_id, listener_id, lane, key_id, bytes)
VALUES (?, ?, ?, ?, ?);

-- find the next lane with a delivery
SELECT lane
FROM RESERVATION_OUTBOX_DELIVERIES
WHERE listener_id = ?
  AND lane >= ?
  AND lane <= ?
ORDER BY lane, event_id
LIMIT 1;

-- lease a shared lane
UPDATE RESERVATION_OUTBOX_LANES
SET owner = ?,
    leased_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
    lease_micros = ?
WHERE listener_id = ?
  AND lane = ?
  AND (owner IN ('-', ?) OR leased_until <= UTC_TIMESTAMP(6) OR leased_until > UTC_TIMESTAMP(6) + INTERVAL 2 * lease_micros MICROSECOND);

-- read the first events of a lane
SELECT d.event_id, d.key_id, d.found, d.elsewhere, e.event_key, e.event_type, e.payload, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', e.created_at) AS created
FROM (
SELECT event_id, key_id, bytes, SUM(bytes) OVER (ORDER BY event_id ROWS UNBOUNDED PRECEDING) AS upto,
    COUNT(*) OVER () AS found, (
  SELECT 1
  FROM RESERVATION_OUTBOX_KEYS k
  WHERE k.listener_id = ?
    AND k.key_id = page.key_id
    AND k.lane <> ?) AS elsewhere
FROM (
SELECT event_id, key_id, bytes
FROM RESERVATION_OUTBOX_DELIVERIES
WHERE listener_id = ?
  AND lane >= ?
  AND lane <= ?
ORDER BY lane, event_id
LIMIT 500
) page
) d
LEFT JOIN RESERVATION_OUTBOX e ON e.id = d.event_id
  AND d.elsewhere IS NULL
WHERE d.upto <= ? OR d.upto = d.bytes
ORDER BY d.event_id;

-- remove each delivery
DELETE FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id = ?
  AND listener_id = ?;

-- then read which events somebody waits for, with a list of 1, 10, 100 or 500 ids
SELECT DISTINCT event_id
FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id IN (?);

-- then remove each of the others
DELETE FROM RESERVATION_OUTBOX
WHERE id = ?;

-- give a shared lane back
UPDATE RESERVATION_OUTBOX_LANES
SET owner = '-'
WHERE listener_id = ?
  AND lane = ?
  AND owner = ?;

-- give a key its own lane: lock the shared lane
SELECT lane
FROM RESERVATION_OUTBOX_LANES
WHERE listener_id = ?
  AND lane = ?
  AND owner = ?
FOR UPDATE;

-- move deliveries to the lanes of their keys, with a list of as many ids
UPDATE RESERVATION_OUTBOX_DELIVERIES
SET lane = (
  SELECT k.lane
  FROM RESERVATION_OUTBOX_KEYS k
  WHERE k.listener_id = RESERVATION_OUTBOX_DELIVERIES.listener_id
    AND k.key_id = RESERVATION_OUTBOX_DELIVERIES.key_id)
WHERE event_id IN (?)
  AND event_id >= ?
  AND event_id <= ?
  AND CONCAT(listener_id, '') = ?;

-- read the keys with a lane of their own that are due next
SELECT key_id, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), due_at) AS micros
FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND due_at > TIMESTAMP '1970-01-01 00:00:00'
ORDER BY due_at
LIMIT ?;

-- lease a key
UPDATE RESERVATION_OUTBOX_KEYS
SET owner = ?,
    due_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
    wait_micros = ?,
    attempts = attempts + 1
WHERE listener_id = ?
  AND key_id = ?
  AND due_at <= UTC_TIMESTAMP(6);

-- lease a key: read its lane
SELECT lane, head, attempts
FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND key_id = ?
  AND owner = ?;

-- register a listener: look whether the clock was set back
SELECT CASE WHEN due_at > UTC_TIMESTAMP(6) AND due_at > UTC_TIMESTAMP(6) + INTERVAL 2 * wait_micros MICROSECOND THEN 1 ELSE 0 END AS late
FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND due_at > TIMESTAMP '1970-01-01 00:00:00'
ORDER BY due_at DESC
LIMIT 1;

-- register a listener: undo that
UPDATE RESERVATION_OUTBOX_KEYS
SET due_at = UTC_TIMESTAMP(6)
WHERE listener_id = ?
  AND due_at > UTC_TIMESTAMP(6)
  AND due_at > UTC_TIMESTAMP(6) + INTERVAL 2 * wait_micros MICROSECOND;

-- move deliveries: lock their keys, with a list of 1, 10, 100 or 500 keys
SELECT key_id
FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND key_id IN (?)
ORDER BY key_id
FOR UPDATE;

-- forget a listener: lock its keys
SELECT key_id
FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
ORDER BY key_id
FOR UPDATE;

-- give a key its own lane: look whether it has one
SELECT lane
FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND key_id = ?;

-- give a key its own lane: insert it
INSERT INTO RESERVATION_OUTBOX_KEYS (listener_id, key_id, lane, head, attempts, owner, due_at, wait_micros, last_error)
VALUES (?, ?, ?, ?, ?, ?, CASE WHEN ? = 'parked' THEN NULL ELSE UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND END, ?, ?);

-- record an attempt with the first event of a key
UPDATE RESERVATION_OUTBOX_KEYS
SET head = ?,
    attempts = ?,
    owner = ?,
    due_at = CASE WHEN ? = 'parked' THEN NULL ELSE UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND END,
    wait_micros = ?,
    last_error = ?
WHERE listener_id = ?
  AND key_id = ?
  AND owner = ?;

-- then look whether the event was discarded meanwhile
UPDATE RESERVATION_OUTBOX_KEYS
SET due_at = UTC_TIMESTAMP(6),
    wait_micros = 0,
    attempts = 0
WHERE listener_id = ?
  AND key_id = ?
  AND owner = '-'
  AND NOT EXISTS (
SELECT 1
FROM RESERVATION_OUTBOX_DELIVERIES d
WHERE d.event_id = RESERVATION_OUTBOX_KEYS.head
  AND d.listener_id = RESERVATION_OUTBOX_KEYS.listener_id);

-- look for parked keys whose event is gone, about once an hour
SELECT listener_id, key_id
FROM RESERVATION_OUTBOX_KEYS
WHERE due_at IS NULL
  AND NOT EXISTS (
SELECT 1
FROM RESERVATION_OUTBOX_DELIVERIES d
WHERE d.event_id = RESERVATION_OUTBOX_KEYS.head
  AND d.listener_id = RESERVATION_OUTBOX_KEYS.listener_id);

-- give a key back: lock it
SELECT lane
FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND key_id = ?
  AND owner = ?
FOR UPDATE;

-- give a key back: it is due
UPDATE RESERVATION_OUTBOX_KEYS
SET attempts = ?,
    owner = '-',
    due_at = UTC_TIMESTAMP(6),
    wait_micros = 0
WHERE listener_id = ?
  AND key_id = ?;

-- give a key back: close its lane if it is empty
DELETE FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND key_id = ?;

-- register a listener: read which lanes it has
SELECT lane
FROM RESERVATION_OUTBOX_LANES
WHERE listener_id = ?;

-- register a listener: insert a lane
INSERT INTO RESERVATION_OUTBOX_LANES (listener_id, lane, owner, leased_until, lease_micros)
VALUES (?, ?, '-', UTC_TIMESTAMP(6), 0);

-- register a listener: read its types
SELECT event_type
FROM RESERVATION_OUTBOX_LISTENERS
WHERE listener_id = ?;

-- register a listener: see each of its types again, now and then
UPDATE RESERVATION_OUTBOX_LISTENERS
SET seen_at = UTC_TIMESTAMP(6)
WHERE event_type = ?
  AND listener_id = ?
  AND (seen_at <= UTC_TIMESTAMP(6) - INTERVAL 5000000 MICROSECOND OR seen_at > UTC_TIMESTAMP(6));

-- register a listener: insert a type
INSERT INTO RESERVATION_OUTBOX_LISTENERS (event_type, listener_id, seen_at)
VALUES (?, ?, UTC_TIMESTAMP(6));

-- register a listener: find events that are kept, with a list of 1, 10, 100 or 500 types
SELECT d.event_id, MIN(d.key_id) AS key_id, MIN(d.bytes) AS bytes
FROM RESERVATION_OUTBOX_DELIVERIES d
JOIN RESERVATION_OUTBOX e ON e.id = d.event_id
WHERE d.event_id > ?
  AND d.event_id <= ?
  AND e.event_type IN (?)
GROUP BY d.event_id
HAVING MAX(CASE WHEN d.listener_id = ? THEN 1 ELSE 0 END) = 0
ORDER BY d.event_id;

-- register a listener: insert a delivery
INSERT INTO RESERVATION_OUTBOX_DELIVERIES (event_id, listener_id, lane, key_id, bytes)
VALUES (?, ?, ?, ?, ?);

-- read what no instance has registered for long
SELECT listener_id, event_type
FROM RESERVATION_OUTBOX_LISTENERS
WHERE seen_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND;

-- forget what a listener wants
DELETE FROM RESERVATION_OUTBOX_LISTENERS
WHERE listener_id = ?
  AND (? = '*' OR event_type = ?)
  AND (? = '*' OR seen_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND);

-- forget its lanes
DELETE FROM RESERVATION_OUTBOX_LANES
WHERE listener_id = ?
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_LISTENERS r
  WHERE r.listener_id = RESERVATION_OUTBOX_LANES.listener_id);

-- forget its keys for which nothing waits
DELETE FROM RESERVATION_OUTBOX_KEYS
WHERE listener_id = ?
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_LISTENERS r
  WHERE r.listener_id = RESERVATION_OUTBOX_KEYS.listener_id)
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES d
  WHERE d.listener_id = RESERVATION_OUTBOX_KEYS.listener_id
    AND d.lane = RESERVATION_OUTBOX_KEYS.lane);

-- read who is registered
SELECT listener_id, event_type, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', seen_at) AS seen
FROM RESERVATION_OUTBOX_LISTENERS;

-- count what waits for whom
SELECT d.listener_id, d.waiting, COALESCE(k.parked, 0) AS parked, TIMESTAMPDIFF(MICROSECOND, e.created_at, UTC_TIMESTAMP(6)) AS age
FROM (
SELECT listener_id, COUNT(*) AS waiting, MIN(event_id) AS oldest
FROM RESERVATION_OUTBOX_DELIVERIES
GROUP BY listener_id
) d
LEFT JOIN (
SELECT listener_id, COUNT(*) AS parked
FROM RESERVATION_OUTBOX_KEYS
WHERE due_at IS NULL
GROUP BY listener_id
) k ON k.listener_id = d.listener_id
LEFT JOIN RESERVATION_OUTBOX e ON e.id = d.oldest;

-- list what waits: the last id of the next slice
SELECT COALESCE(MAX(event_id), 0)
FROM (
SELECT event_id
FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id > ?
  AND event_id <= ?
ORDER BY event_id
LIMIT 2000
) slice;

-- list what waits: those that a query means
SELECT DISTINCT event_id
FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id > ?
  AND event_id <= ?
  AND (? = '*' OR listener_id = ?)
  AND (? = '*' OR key_id = ?)
  AND (? = '*' OR EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX e
  WHERE e.id = RESERVATION_OUTBOX_DELIVERIES.event_id
    AND e.event_type = ?))
ORDER BY event_id
LIMIT ?;

-- list what failed or is parked: the last id of the next slice
SELECT COALESCE(MAX(head), 0)
FROM (
SELECT head
FROM RESERVATION_OUTBOX_KEYS
WHERE head > ?
  AND head <= ?
ORDER BY head
LIMIT 2000
) slice;

-- list what failed or is parked: those that a query means
SELECT DISTINCT head
FROM RESERVATION_OUTBOX_KEYS
WHERE head > ?
  AND head <= ?
  AND (? = '*' OR listener_id = ?)
  AND (? = '*' OR key_id = ?)
  AND (? = '*' OR EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX e
  WHERE e.id = RESERVATION_OUTBOX_KEYS.head
    AND e.event_type = ?))
  AND owner = '-'
  AND attempts > 0
  AND (? = '*' OR due_at IS NULL)
ORDER BY head
LIMIT ?;

-- list for whom events wait, with a list of 1, 10, 100 or 500 ids
SELECT d.event_id, d.listener_id, d.bytes, k.attempts,
    CASE WHEN k.due_at IS NULL THEN 1 ELSE 0 END AS parked,
    CASE WHEN k.owner = '-' THEN k.last_error ELSE 'under way' END AS error
FROM RESERVATION_OUTBOX_DELIVERIES d
LEFT JOIN RESERVATION_OUTBOX_KEYS k ON k.listener_id = d.listener_id
  AND k.key_id = d.key_id
  AND k.head = d.event_id
WHERE d.event_id IN (?)
ORDER BY d.event_id, d.listener_id;

-- list events, with a list of as many ids
SELECT e.id, e.event_key, e.event_type, e.payload, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', e.created_at) AS created
FROM RESERVATION_OUTBOX e
WHERE e.id IN (?)
ORDER BY e.id;

-- retry what failed, with a list of as many ids
UPDATE RESERVATION_OUTBOX_KEYS
SET due_at = UTC_TIMESTAMP(6),
    wait_micros = 0,
    attempts = 0
WHERE head IN (?)
  AND owner = '-'
  AND attempts > 0
  AND (? = '*' OR listener_id = ?);

-- list, retry, discard or forget many: stop at what is new
SELECT COALESCE(MAX(event_id), 0)
FROM RESERVATION_OUTBOX_DELIVERIES;

-- look for events that nobody waits for, about once an hour
SELECT id
FROM RESERVATION_OUTBOX
WHERE id > ?
ORDER BY id
LIMIT 500;
