// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.TransactionRetryException;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of claims is the user's: it has what the specification names, and is refused if it lacks something. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class ReservationSchemaTest extends OnClaimTable {

    @Test
    void theTableHasTheColumnsAndIndexesOfTheSpecification() throws SQLException {
        List<String> columns = new ArrayList<>();
        Set<String> indexes = new TreeSet<>();
        Set<String> unique = new TreeSet<>();

        try (Connection connection = database.connect()) {
            String table = kind == Databases.POSTGRESQL ? "reservation_claims" : "RESERVATION_CLAIMS";
            String catalog = connection.getCatalog();
            try (ResultSet rows = connection.getMetaData().getColumns(catalog, null, table, null)) {
                while (rows.next()) {
                    String name = rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT);
                    columns.add(name + (rows.getString("IS_NULLABLE").equals("YES") ? " null" : ""));
                }
            }
            try (ResultSet rows = connection.getMetaData().getIndexInfo(catalog, null, table, false, true)) {
                while (rows.next()) {
                    String name = rows.getString("INDEX_NAME");
                    if (name != null) {
                        (rows.getBoolean("NON_UNIQUE") ? indexes : unique).add(name.toLowerCase(Locale.ROOT));
                    }
                }
            }
        }

        assertThat(columns).startsWith(
                "reservation_id", "claim_key", "claim_type", "claim_value", "status", "expires_at", "entity_id null",
                "confirmed_at null", "released_at null", "correlation_id null", "token", "version", "created_at",
                "updated_at");
        assertThat(indexes).contains(
                "ix_reservation_claims_type_value", "ix_reservation_claims_status_expires",
                "ix_reservation_claims_entity");
        assertThat(unique).contains("ux_reservation_claims_key").hasSize(2);
    }

    @Test
    void aMissingTableIsToldHowToCreateIt() {
        database.execute("DROP TABLE RESERVATION_CLAIMS");
        try (Claims claims = claims()) {
            assertThatThrownBy(() -> claims.reserve("email", ALICE, LONG))
                    .isInstanceOf(ReservationException.class)
                    .hasMessageContainingAll("Is table RESERVATION_CLAIMS there", printCommand());
            assertThatThrownBy(() -> claims.isAvailable("email", ALICE)).isInstanceOf(ReservationException.class);

            database.execute(Ddl.of(kind.ddl() + "-claims"));
            assertThat(claims.reserve("email", ALICE, LONG).status()).as("once it is there").isEqualTo("success");
        }
    }

    @Test
    void aMissingColumnIsNamed() {
        database.execute("DROP TABLE RESERVATION_CLAIMS");
        database.execute(Ddl.of(kind.ddl() + "-claims").replaceFirst("(?m)^ +token .*$", "")
                .replaceFirst("(?m)^COMMENT .*token.*$", ""));
        try (Claims claims = claims()) {
            assertThatThrownBy(() -> claims.reserve("email", ALICE, LONG))
                    .isInstanceOf(ReservationException.class)
                    .hasMessageContainingAll("Table RESERVATION_CLAIMS lacks token", printCommand());
        }
    }

    @Test
    void aTableWithoutItsPrimaryKeyIsRefused() {
        database.execute("DROP TABLE RESERVATION_CLAIMS");
        database.execute(Ddl.of(kind.ddl() + "-claims").replace("PRIMARY KEY (reservation_id)", "PRIMARY KEY (token)"));
        try (Claims claims = claims()) {
            assertThatThrownBy(() -> claims.reserve("email", ALICE, LONG))
                    .isInstanceOf(ReservationException.class)
                    .hasMessageContainingAll(
                            "has no primary key on reservation_id alone, so that two callers could reserve the same"
                                    + " value",
                            printCommand());
        }
    }

    @Test
    void theTableMayHaveAnotherName() {
        database.execute("DROP TABLE IF EXISTS OTHER_CLAIMS");
        database.execute(Ddl.of(kind.ddl() + "-claims").replaceAll("(?i)reservation_claims", "OTHER_CLAIMS"));
        try (Claims claims = Claims.jdbc(database.pool(2)).tableName("OTHER_CLAIMS").build()) {
            assertThat(claims.reserve("email", ALICE, LONG).status()).isEqualTo("success");
        }
        assertThat(database.query("SELECT COUNT(*) FROM OTHER_CLAIMS")).isEqualTo("1");
    }

    /** To retry the transaction would not help. */
    @Test
    void aForeignRowOfTheSameKeyIsAWrongSetUp_inACallersTransactionToo() throws SQLException {
        try (Claims claims = claims(); Connection connection = database.connect()) {
            claims.reserve("email", ALICE, LONG);
            database.execute("UPDATE RESERVATION_CLAIMS SET reservation_id = 'foreign'");
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);

            for (Claims each : List.of(claims, claims.in(connection))) {
                assertThatThrownBy(() -> each.reserve("email", ALICE, LONG))
                        .isInstanceOf(ReservationException.class)
                        .isNotInstanceOf(TransactionRetryException.class)
                        .hasMessageContaining("Another row has the claim_key");
            }
            connection.rollback();
        }
    }

    @Test
    void whatDoesNotFitIsAnExceptionWithoutTheValue() {
        database.execute("DROP TABLE RESERVATION_CLAIMS");
        database.execute(Ddl.of(kind.ddl() + "-claims")
                .replaceFirst("(claim_value +VARCHAR2?)\\(\\d+\\)", "$1(10)")
                .replace("claim_value(200)", "claim_value(10)"));
        try (Claims claims = claims()) {
            assertThatThrownBy(() -> claims.reserve("email", ALICE, LONG)).satisfies(failure -> {
                for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                    assertThat(cause.toString()).doesNotContain("alice");
                }
                assertThat(failure.getMessage()).contains("type email", printCommand());
            });
        }
    }
}
