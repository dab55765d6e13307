-- reservation-lock: from a lock table of the four columns reservation_key, holder, acquired_at and expires_at
-- to the full one, on PostgreSQL. Locks that are held stay held. An application that has used
-- the table before uses the new columns after its next start; until then its locks and those of others exclude each other.
ALTER TABLE RESERVATION_LOCKS ADD COLUMN fence BIGINT;
ALTER TABLE RESERVATION_LOCKS ADD COLUMN waiters VARCHAR(272) COLLATE "C";
ALTER TABLE RESERVATION_LOCKS ADD COLUMN reserved_until TIMESTAMP(6);
