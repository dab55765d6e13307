-- reservation-lock: the table of claims for Oracle 12.1 or newer.
--
-- Times are in UTC, whatever the time zone of a session or of the database.
-- The character set of the database must be a Unicode one (AL32UTF8). Whether lengths are bytes or characters does not
-- matter: a type has at most 192 bytes, a value 3,072, an entity or correlation id 256.
-- reservation_id is a digest of claim_key.
CREATE TABLE RESERVATION_CLAIMS (
    reservation_id  VARCHAR2(36)    NOT NULL,
    claim_key       VARCHAR2(3265)  NOT NULL,
    claim_type      VARCHAR2(192)   NOT NULL,
    claim_value     VARCHAR2(3072)  NOT NULL,
    status          VARCHAR2(9)     NOT NULL,
    expires_at      TIMESTAMP       NOT NULL,
    entity_id       VARCHAR2(256),
    confirmed_at    TIMESTAMP,
    released_at     TIMESTAMP,
    correlation_id  VARCHAR2(256),
    token           VARCHAR2(32)    NOT NULL,
    version         NUMBER(19)      NOT NULL,
    created_at      TIMESTAMP       NOT NULL,
    updated_at      TIMESTAMP       NOT NULL,
    CONSTRAINT pk_reservation_claims PRIMARY KEY (reservation_id)
);

CREATE UNIQUE INDEX ux_reservation_claims_key ON RESERVATION_CLAIMS (claim_key);
CREATE INDEX ix_reservation_claims_type_value ON RESERVATION_CLAIMS (claim_type, claim_value);
CREATE INDEX ix_reservation_claims_status_expires ON RESERVATION_CLAIMS (status, expires_at);
CREATE INDEX ix_reservation_claims_entity ON RESERVATION_CLAIMS (entity_id);

COMMENT ON TABLE RESERVATION_CLAIMS IS 'Unique values that are held before their entities exist';
COMMENT ON COLUMN RESERVATION_CLAIMS.reservation_id IS 'res_ and half of the SHA-256 of claim_key, in hex';
COMMENT ON COLUMN RESERVATION_CLAIMS.claim_key IS 'type:value';
COMMENT ON COLUMN RESERVATION_CLAIMS.status IS 'reserved, confirmed, released or expired';
COMMENT ON COLUMN RESERVATION_CLAIMS.expires_at IS 'When the claim ends unless it is confirmed';
COMMENT ON COLUMN RESERVATION_CLAIMS.token IS 'The secret of the owner';
COMMENT ON COLUMN RESERVATION_CLAIMS.version IS 'Grows with each change';

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_CLAIMS TO app_user;
