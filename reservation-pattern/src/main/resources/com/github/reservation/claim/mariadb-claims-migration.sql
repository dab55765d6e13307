-- reservation-lock: from a table of claims whose index is on the MD5 of the key to one with SHA-256, on MariaDB.
-- Claims stay as they are; no restart is needed. Changes of claims wait while the table is copied, and fail after queryTimeout (5 s)
-- or, in a transaction of the application, transactionWait (2 s): choose a quiet time for a large table.
ALTER TABLE RESERVATION_CLAIMS
    DROP INDEX ux_reservation_claims_key,
    DROP COLUMN claim_key_md5,
    ADD COLUMN claim_key_sha256 BINARY(32) GENERATED ALWAYS AS (UNHEX(SHA2(claim_key, 256))) STORED,
    ADD UNIQUE INDEX ux_reservation_claims_key (claim_key_sha256);
