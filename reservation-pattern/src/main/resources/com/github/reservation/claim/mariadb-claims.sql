-- reservation-lock: the table of claims for MariaDB 10.6 or newer.
--
-- Times are in UTC, whatever the time zone of a session: DATETIME, because TIMESTAMP would be converted.
-- Collation utf8mb4_nopad_bin compares byte by byte and does not ignore blanks at the end, as utf8mb4_bin does.
-- reservation_id is a digest of claim_key, so its primary key makes keys unique, too.
CREATE TABLE RESERVATION_CLAIMS (
    reservation_id VARCHAR(36)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    claim_key      VARCHAR(1089) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    claim_type     VARCHAR(64)   CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    claim_value    VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    status         VARCHAR(9)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    expires_at     DATETIME(6)   NOT NULL,
    entity_id      VARCHAR(256)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
    confirmed_at   DATETIME(6)   NULL,
    released_at    DATETIME(6)   NULL,
    correlation_id VARCHAR(256)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
    token          VARCHAR(32)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    version        BIGINT        NOT NULL,
    created_at     DATETIME(6)   NOT NULL,
    updated_at     DATETIME(6)   NOT NULL,
    claim_key_sha256 BINARY(32)  GENERATED ALWAYS AS (UNHEX(SHA2(claim_key, 256))) STORED,
    CONSTRAINT pk_reservation_claims PRIMARY KEY (reservation_id)
) ENGINE = InnoDB;

-- An entry of an index has at most 3,072 bytes, and a key up to 4,356: so the index is on its digest.
-- To look for a key: WHERE reservation_id = CONCAT('res_', LEFT(SHA2('email:alice@example.com', 256), 32))
CREATE UNIQUE INDEX ux_reservation_claims_key ON RESERVATION_CLAIMS (claim_key_sha256);
CREATE INDEX ix_reservation_claims_type_value ON RESERVATION_CLAIMS (claim_type, claim_value(200));
CREATE INDEX ix_reservation_claims_status_expires ON RESERVATION_CLAIMS (status, expires_at);
CREATE INDEX ix_reservation_claims_entity ON RESERVATION_CLAIMS (entity_id);

-- What the application needs, and no more:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_CLAIMS TO 'app_user'@'%';
