-- reservation-lock: the table of claims for H2 2.2 or newer.
--
-- Times are in UTC, whatever the time zone of a session.
-- reservation_id is a digest of claim_key.
CREATE TABLE RESERVATION_CLAIMS (
    reservation_id VARCHAR(36)   NOT NULL,
    claim_key      VARCHAR(1089) NOT NULL,
    claim_type     VARCHAR(64)   NOT NULL,
    claim_value    VARCHAR(1024) NOT NULL,
    status         VARCHAR(9)    NOT NULL,
    expires_at     TIMESTAMP(6)  NOT NULL,
    entity_id      VARCHAR(256),
    confirmed_at   TIMESTAMP(6),
    released_at    TIMESTAMP(6),
    correlation_id VARCHAR(256),
    token          VARCHAR(32)   NOT NULL,
    version        BIGINT        NOT NULL,
    created_at     TIMESTAMP(6)  NOT NULL,
    updated_at     TIMESTAMP(6)  NOT NULL,
    CONSTRAINT pk_reservation_claims PRIMARY KEY (reservation_id)
);

CREATE UNIQUE INDEX ux_reservation_claims_key ON RESERVATION_CLAIMS (claim_key);
CREATE INDEX ix_reservation_claims_type_value ON RESERVATION_CLAIMS (claim_type, claim_value);
CREATE INDEX ix_reservation_claims_status_expires ON RESERVATION_CLAIMS (status, expires_at);
CREATE INDEX ix_reservation_claims_entity ON RESERVATION_CLAIMS (entity_id);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_CLAIMS TO app_user;
