-- reservation-lock: from a table of claims whose index is on the MD5 of the key to one with SHA-256, on PostgreSQL 11 or newer.
-- Claims stay as they are; no restart is needed. Changes of claims wait while the index is built, and fail after queryTimeout (5 s)
-- or, in a transaction of the application, transactionWait (2 s): for a large table use CREATE UNIQUE INDEX CONCURRENTLY, which lets
-- them go on. Meanwhile the primary key keeps values unique.
DROP INDEX ux_reservation_claims_key;
CREATE UNIQUE INDEX ux_reservation_claims_key
    ON RESERVATION_CLAIMS (sha256(replace(claim_key, chr(92), repeat(chr(92), 2))::bytea));
