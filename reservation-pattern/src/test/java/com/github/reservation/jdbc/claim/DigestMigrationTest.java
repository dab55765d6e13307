// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.Claims;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A table of claims whose index is on the MD5 of the key works, and the migration makes one with SHA-256 of it. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = {"POSTGRESQL", "MARIADB", "MYSQL"})
@SideBySide
class DigestMigrationTest extends OnClaimTable {

    private static final String ODD = "a\\b 'é' \uD834\uDD1E ";

    @Test
    void claimsSurviveTheMigrationOfTheirTable_andStayUnique() {
        installWithMd5();
        try (Claims claims = claims()) {
            claims.reserve("email", ALICE, LONG);
            claims.reserve("email", ODD, LONG);

            database.execute(Ddl.of(kind.ddl() + "-claims-migration"));

            assertThat(claims.reserve("email", ALICE, LONG).status()).isEqualTo("conflict");
            assertThat(claims.reserve("email", ODD, LONG).status()).isEqualTo("conflict");
            assertThat(claims.reserve("email", "bob", LONG).status()).isEqualTo("success");
            assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_CLAIMS")).isEqualTo("3");
            requireUniqueKeys(claims);
        }
    }

    @Test
    void theMigratedTableIsThatOfTheDdl() {
        String fresh = shape();
        installWithMd5();
        assertThat(shape()).contains("md5").isNotEqualTo(fresh);

        database.execute(Ddl.of(kind.ddl() + "-claims-migration"));

        assertThat(shape()).contains("sha256").isEqualTo(fresh);
    }

    @Test
    void aTableThatIsNotMigratedWorks() {
        installWithMd5();
        try (Claims claims = claims()) {
            assertThat(claims.reserve("email", ALICE, LONG).status()).isEqualTo("success");
            assertThat(claims.reserve("email", ALICE, LONG).status()).isEqualTo("conflict");
            requireUniqueKeys(claims);
        }
    }

    @Test
    void aKeyIsFoundAsTheDdlSays() {
        String ddl = Ddl.of(kind.ddl() + "-claims");
        String condition = ddl.lines().filter(line -> line.startsWith("-- To look for a key: ")).findFirst()
                .orElseThrow().replace("-- To look for a key: ", "");
        try (Claims claims = claims()) {
            claims.reserve("email", ALICE, LONG);
            claims.reserve("email", "bob", LONG);
        }

        assertThat(database.query("SELECT MIN(claim_key) FROM RESERVATION_CLAIMS " + condition))
                .isEqualTo("email:alice@example.com");
    }

    /** The table as it was. */
    private void installWithMd5() {
        assumeTrue(kind != Databases.MYSQL || hasMd5(), "MySQL 9.6 and newer cannot have such a table");
        database.execute("DROP TABLE RESERVATION_CLAIMS");
        database.execute(kind == Databases.POSTGRESQL
                ? Ddl.of("postgresql-claims").replaceFirst("sha256\\(replace.*::bytea\\)", "md5(claim_key)")
                : Ddl.of(kind.ddl() + "-claims").replace(
                        "claim_key_sha256 BINARY(32)  GENERATED ALWAYS AS (UNHEX(SHA2(claim_key, 256)))",
                        "claim_key_md5 BINARY(16) GENERATED ALWAYS AS (UNHEX(MD5(claim_key)))")
                        .replace("(claim_key_sha256)", "(claim_key_md5)"));
    }

    private boolean hasMd5() {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            return statement.execute("SELECT MD5('')");
        } catch (SQLException e) {
            return false;
        }
    }

    /** Returns what defines the digest, and all indexes. */
    private String shape() {
        return database.query(kind == Databases.POSTGRESQL
                ? "SELECT string_agg(indexdef, '; ' ORDER BY indexname) FROM pg_indexes"
                        + " WHERE tablename = 'reservation_claims' AND schemaname = current_schema()"
                : """
                        SELECT CONCAT(
                            (SELECT CONCAT(column_name, ' ', column_type, ' ', generation_expression)
                            FROM information_schema.columns
                            WHERE table_schema = DATABASE() AND table_name = 'RESERVATION_CLAIMS'
                              AND generation_expression <> ''),
                            (SELECT GROUP_CONCAT(index_name, ' ', column_name, ' ', non_unique
                                ORDER BY index_name, seq_in_index)
                            FROM information_schema.statistics
                            WHERE table_schema = DATABASE() AND table_name = 'RESERVATION_CLAIMS'))
                        """).toLowerCase(Locale.ROOT);
    }

    private void requireUniqueKeys(Claims claims) {
        database.execute(
                "UPDATE RESERVATION_CLAIMS SET reservation_id = 'foreign' WHERE claim_value = '" + ALICE + "'");
        assertThatThrownBy(() -> claims.reserve("email", ALICE, LONG))
                .isInstanceOf(ReservationException.class)
                .hasMessageContaining("Another row has the claim_key");
    }
}
