-- reservation-lock: the table of claims for PostgreSQL 11 or newer.
--
-- Times are in UTC, whatever the time zone of a session. Collation "C" compares byte by byte.
-- reservation_id is a digest of claim_key, so its primary key makes keys unique, too.
CREATE TABLE RESERVATION_CLAIMS (
    reservation_id VARCHAR(36)   COLLATE "C" NOT NULL,
    claim_key      VARCHAR(1089) COLLATE "C" NOT NULL,
    claim_type     VARCHAR(64)   COLLATE "C" NOT NULL,
    claim_value    VARCHAR(1024) COLLATE "C" NOT NULL,
    status         VARCHAR(9)    COLLATE "C" NOT NULL,
    expires_at     TIMESTAMP(6)  NOT NULL,
    entity_id      VARCHAR(256)  COLLATE "C",
    confirmed_at   TIMESTAMP(6),
    released_at    TIMESTAMP(6),
    correlation_id VARCHAR(256)  COLLATE "C",
    token          VARCHAR(32)   COLLATE "C" NOT NULL,
    version        BIGINT        NOT NULL,
    created_at     TIMESTAMP(6)  NOT NULL,
    updated_at     TIMESTAMP(6)  NOT NULL,
    CONSTRAINT pk_reservation_claims PRIMARY KEY (reservation_id)
);

-- An entry of an index has at most 2,704 bytes, and a key up to 3,265: so the index is on its digest.
-- A cast to bytea takes a backslash, chr(92), for an escape unless there are two.
-- To look for a key: WHERE reservation_id = 'res_' || left(encode(sha256('email:alice@example.com'), 'hex'), 32)
CREATE UNIQUE INDEX ux_reservation_claims_key
    ON RESERVATION_CLAIMS (sha256(replace(claim_key, chr(92), repeat(chr(92), 2))::bytea));
CREATE INDEX ix_reservation_claims_type_value ON RESERVATION_CLAIMS (claim_type, left(claim_value, 200));
CREATE INDEX ix_reservation_claims_status_expires ON RESERVATION_CLAIMS (status, expires_at);
CREATE INDEX ix_reservation_claims_entity ON RESERVATION_CLAIMS (entity_id);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_CLAIMS TO app_user;
