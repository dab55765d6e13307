// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of claims and of the outbox, found by the command of the other jar. */
class PatternDdlTest {

    @ParameterizedTest
    @ValueSource(strings = {"postgresql-claims", "mysql-claims", "mariadb-claims", "h2-claims", "oracle-claims"})
    void everyDatabaseHasATableOfClaims(String name) {
        assertThat(Ddl.of(name))
                .startsWith("-- reservation-lock: ")
                .contains("CREATE TABLE RESERVATION_CLAIMS (", "pk_reservation_claims PRIMARY KEY (reservation_id)")
                .contains("CREATE UNIQUE INDEX ux_reservation_claims_key")
                .as("MySQL 9.6 and FIPS builds have no MD5").doesNotContainIgnoringCase("md5")
                .contains("CREATE INDEX ix_reservation_claims_type_value")
                .contains("CREATE INDEX ix_reservation_claims_status_expires")
                .contains("CREATE INDEX ix_reservation_claims_entity")
                .contains("-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_CLAIMS TO ")
                .endsWith("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql-outbox", "mysql-outbox", "mariadb-outbox", "h2-outbox", "oracle-outbox"})
    void everyDatabaseHasTheTablesOfAnOutbox(String name) {
        assertThat(Ddl.of(name))
                .startsWith("-- reservation-lock: ")
                .contains("CREATE TABLE RESERVATION_OUTBOX (", "pk_reservation_outbox PRIMARY KEY (id)")
                .contains("CREATE TABLE RESERVATION_OUTBOX_DELIVERIES (", "CREATE TABLE RESERVATION_OUTBOX_KEYS (")
                .contains("CREATE TABLE RESERVATION_OUTBOX_LANES (", "CREATE TABLE RESERVATION_OUTBOX_LISTENERS (")
                .contains("CREATE INDEX ix_reservation_outbox_dlv_lane", "CREATE INDEX ix_reservation_outbox_keys_due")
                .contains("-- GRANT SELECT, INSERT, UPDATE, DELETE ON RESERVATION_OUTBOX")
                .endsWith("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql", "mariadb", "h2", "oracle"})
    void tablesOfAnotherNameHaveTheirOwnIndexes(String database) {
        assertThat(Ddl.of(database + "-claims", "shop.names"))
                .doesNotContainIgnoringCase("reservation_claims")
                .contains("CREATE TABLE shop.names (", "pk_names", "ux_names_key");
        assertThat(Ddl.of(database + "-outbox", "events"))
                .doesNotContainIgnoringCase("reservation_outbox")
                .contains("CREATE TABLE events (", "CREATE TABLE events_LISTENERS (", "ix_events_dlv_lane");
    }
}
