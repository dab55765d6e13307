-- All statements that reservation-lock sends to the tables of an outbox on mariadb, as they are sent.
-- Each is a transaction of its own, unless it says that it belongs to a caller's.
-- The tables are what com.github.reservation.jdbc.Ddl prints for mariadb-outbox.
-- This file is written by OutboxSqlFilesTest; do not edit it.

-- append one event, in the caller's transaction
INSERT INTO RESERVATION_OUTBOX (lane, key_id, event_key, event_type, payload, created_at)
VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6));

-- register a listener: read which lanes it has
SELECT lane
FROM RESERVATION_OUTBOX_LANES
WHERE listener_id = ?;

-- register a listener: insert a lane
INSERT INTO RESERVATION_OUTBOX_LANES (listener_id, lane, owner, leased_until)
VALUES (?, ?, '-', UTC_TIMESTAMP(6));

-- register a listener: read its types
SELECT event_types
FROM RESERVATION_OUTBOX_LISTENERS
WHERE listener_id = ?;

-- register a listener: insert it
INSERT INTO RESERVATION_OUTBOX_LISTENERS (listener_id, event_types)
VALUES (?, ?);

-- register a listener: add types
UPDATE RESERVATION_OUTBOX_LISTENERS
SET event_types = ?
WHERE listener_id = ?
  AND event_types = ?;

-- find the lanes with an event that is due, with a list of 1, 10, 100 or 500 types
SELECT l.lane
FROM RESERVATION_OUTBOX_LANES l
WHERE l.listener_id = ?
  AND l.leased_until <= UTC_TIMESTAMP(6)
  AND EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX e
  WHERE e.lane = l.lane
    AND e.event_type IN (?)
    AND NOT EXISTS (
    SELECT 1
    FROM RESERVATION_OUTBOX_DELIVERIES d
    WHERE d.event_id = e.id
      AND d.listener_id = ?
      AND d.state = 'done')
    AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES b
  WHERE b.listener_id = ?
    AND b.key_id = e.key_id
    AND b.state IN ('failed', 'held', 'parked')
    AND (b.event_id <= e.id OR b.state = 'held')
    AND (b.state = 'parked' OR b.due_at > UTC_TIMESTAMP(6))));

-- lease a lane
UPDATE RESERVATION_OUTBOX_LANES
SET owner = ?,
    leased_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
WHERE listener_id = ?
  AND lane = ?
  AND (leased_until <= UTC_TIMESTAMP(6) OR owner = ?);

-- read the events of a lane that are due
SELECT e.id, e.key_id, e.event_key, e.event_type, e.payload, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', e.created_at) AS created,
    COALESCE(r.attempts, 0) AS attempts
FROM RESERVATION_OUTBOX e
LEFT JOIN RESERVATION_OUTBOX_DELIVERIES r ON r.event_id = e.id AND r.listener_id = ?
WHERE e.lane = ?
  AND INSTR((SELECT w.event_types FROM RESERVATION_OUTBOX_LISTENERS w WHERE w.listener_id = ?), CONCAT(CONCAT(',', e.event_type), ',')) > 0
  AND COALESCE(r.state, '-') <> 'done'
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES b
  WHERE b.listener_id = ?
    AND b.key_id = e.key_id
    AND b.state IN ('failed', 'held', 'parked')
    AND (b.event_id <= e.id OR b.state = 'held')
    AND (b.state = 'parked' OR b.due_at > UTC_TIMESTAMP(6)))
ORDER BY e.id
LIMIT 100;

-- remove delivered events, with a list of 1, 10, 100 or 500 ids
DELETE FROM RESERVATION_OUTBOX
WHERE id IN (?)
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_LISTENERS l
  WHERE l.listener_id <> ?
    AND INSTR(l.event_types, CONCAT(CONCAT(',', RESERVATION_OUTBOX.event_type), ',')) > 0)
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES d
  WHERE d.event_id = RESERVATION_OUTBOX.id);

-- give a lane back
UPDATE RESERVATION_OUTBOX_LANES
SET owner = '-',
    leased_until = UTC_TIMESTAMP(6)
WHERE listener_id = ?
  AND lane = ?
  AND owner = ?;

-- if that did not remove all of them, first lock them
SELECT e.id
FROM RESERVATION_OUTBOX e
WHERE e.id IN (?)
ORDER BY e.id
FOR UPDATE;

-- then record that the listener has them, if something is recorded
UPDATE RESERVATION_OUTBOX_DELIVERIES
SET state = 'done'
WHERE event_id IN (?)
  AND listener_id = ?;

-- record that the listener has them, if nothing is
INSERT INTO RESERVATION_OUTBOX_DELIVERIES (
    event_id, listener_id, key_id, state, attempts, due_at, owner, last_error)
SELECT e.id, ?, e.key_id, 'done', 0, UTC_TIMESTAMP(6), '-', '-'
FROM RESERVATION_OUTBOX e
WHERE e.id IN (?)
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES d
  WHERE d.event_id = e.id
    AND d.listener_id = ?);

-- remove events that all listeners have
DELETE FROM RESERVATION_OUTBOX
WHERE id IN (?)
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_LISTENERS l
  WHERE INSTR(l.event_types, CONCAT(CONCAT(',', RESERVATION_OUTBOX.event_type), ',')) > 0
    AND NOT EXISTS (
    SELECT 1
    FROM RESERVATION_OUTBOX_DELIVERIES d
    WHERE d.event_id = RESERVATION_OUTBOX.id
      AND d.listener_id = l.listener_id
      AND d.state = 'done'));

-- remove what was recorded about events that are gone
DELETE FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id IN (?)
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX e
  WHERE e.id = RESERVATION_OUTBOX_DELIVERIES.event_id);

-- with the event locked: change what is recorded about it and a listener
UPDATE RESERVATION_OUTBOX_DELIVERIES
SET state = ?,
    attempts = ?,
    due_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
    owner = ?,
    last_error = CASE WHEN ? = 'held' THEN last_error ELSE ? END
WHERE event_id = ?
  AND listener_id = ?
  AND state <> 'done'
  AND (owner = ?
    OR attempts <= ? AND (state <> 'held' OR due_at <= UTC_TIMESTAMP(6)));

-- with the event locked: record something about it and a listener
INSERT INTO RESERVATION_OUTBOX_DELIVERIES (
    event_id, listener_id, key_id, state, attempts, due_at, owner, last_error)
SELECT e.id, ?, e.key_id, ?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, ?, ?
FROM RESERVATION_OUTBOX e
WHERE e.id = ?
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES d
  WHERE d.event_id = e.id
    AND d.listener_id = ?);

-- extend the lease of an event that is being delivered
UPDATE RESERVATION_OUTBOX_DELIVERIES
SET due_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
WHERE event_id = ?
  AND listener_id = ?
  AND state = 'held'
  AND owner = ?
  AND due_at > UTC_TIMESTAMP(6);

-- undo such a lease if the delivery did not begin
UPDATE RESERVATION_OUTBOX_DELIVERIES
SET state = 'failed',
    attempts = attempts - 1,
    due_at = UTC_TIMESTAMP(6)
WHERE event_id = ?
  AND listener_id = ?
  AND state = 'held'
  AND owner = ?;

-- remove what is recorded if no attempt is left
DELETE FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id = ?
  AND listener_id = ?
  AND state = 'failed'
  AND attempts = 0;

-- check the columns of the table of events, once
SELECT * FROM RESERVATION_OUTBOX WHERE 1 = 0;

-- check the columns of the table of listeners, once
SELECT * FROM RESERVATION_OUTBOX_LISTENERS WHERE 1 = 0;

-- check the columns of the table of lanes, once
SELECT * FROM RESERVATION_OUTBOX_LANES WHERE 1 = 0;

-- check the columns of the table of deliveries, once
SELECT * FROM RESERVATION_OUTBOX_DELIVERIES WHERE 1 = 0;

-- count the backlog
SELECT events, TIMESTAMPDIFF(MICROSECOND, oldest, UTC_TIMESTAMP(6)) AS age_micros
FROM (
SELECT COUNT(*) AS events, MIN(created_at) AS oldest
FROM RESERVATION_OUTBOX
) counted;

-- count what is parked
SELECT COUNT(DISTINCT event_id)
FROM RESERVATION_OUTBOX_DELIVERIES
WHERE state = 'parked';

-- list what is left
SELECT e.id, e.event_key, e.event_type, e.payload, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', e.created_at) AS created
FROM RESERVATION_OUTBOX e
WHERE e.id > ?
ORDER BY e.id
LIMIT ?;

-- list what is parked
SELECT e.id, e.event_key, e.event_type, e.payload, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', e.created_at) AS created
FROM RESERVATION_OUTBOX e
WHERE e.id > ?
  AND EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES d
  WHERE d.event_id = e.id
    AND d.state = 'parked')
ORDER BY e.id
LIMIT ?;

-- list the failures, with a list of as many ids
SELECT event_id, listener_id, attempts, state, last_error
FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id IN (?)
  AND state IN ('failed', 'held', 'parked')
ORDER BY event_id, listener_id;

-- retry
DELETE FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id = ?
  AND state IN ('failed', 'parked');

-- discard an event
DELETE FROM RESERVATION_OUTBOX
WHERE id = ?;

-- discard what was recorded about it
DELETE FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id = ?;

-- forget a listener
DELETE FROM RESERVATION_OUTBOX_LISTENERS
WHERE listener_id = ?;

-- forget its lanes
DELETE FROM RESERVATION_OUTBOX_LANES
WHERE listener_id = ?;

-- read the next events, which are locked then
SELECT id
FROM RESERVATION_OUTBOX
WHERE id > ?
ORDER BY id
LIMIT ?;

-- remove those that only waited for it, with a list of 1, 10, 100 or 500 ids
DELETE FROM RESERVATION_OUTBOX
WHERE id IN (?)
  AND EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_DELIVERIES d
  WHERE d.event_id = RESERVATION_OUTBOX.id
    AND d.state = 'done')
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_LISTENERS l
  WHERE INSTR(l.event_types, CONCAT(CONCAT(',', RESERVATION_OUTBOX.event_type), ',')) > 0
    AND NOT EXISTS (
    SELECT 1
    FROM RESERVATION_OUTBOX_DELIVERIES d
    WHERE d.event_id = RESERVATION_OUTBOX.id
      AND d.listener_id = l.listener_id
      AND d.state = 'done'));

-- forget its deliveries of them, with a list of as many ids
DELETE FROM RESERVATION_OUTBOX_DELIVERIES
WHERE event_id IN (?)
  AND listener_id = ?
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_LISTENERS l
  WHERE l.listener_id = RESERVATION_OUTBOX_DELIVERIES.listener_id);

-- forget its other deliveries, at the end
DELETE FROM RESERVATION_OUTBOX_DELIVERIES
WHERE listener_id = ?
  AND NOT EXISTS (
  SELECT 1
  FROM RESERVATION_OUTBOX_LISTENERS l
  WHERE l.listener_id = RESERVATION_OUTBOX_DELIVERIES.listener_id);
