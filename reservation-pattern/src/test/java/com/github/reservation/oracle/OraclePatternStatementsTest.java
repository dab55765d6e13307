// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.claim.jdbc.ClaimStatementsOf;
import com.github.reservation.internal.expiration.jdbc.ExpirationStatementsOf;
import com.github.reservation.internal.outbox.jdbc.OutboxStatementsOf;
import com.github.reservation.internal.sql.Dialects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever claims, expiration and outbox say to Oracle is Oracle's SQL, as far as two grammars of it can tell. */
@SideBySide
@Needs(Backend.ORACLE_MODE)
class OraclePatternStatementsTest {

    static Stream<String> statements() {
        return Stream.of(
                ClaimStatementsOf.table(Dialects.ORACLE),
                ExpirationStatementsOf.orders(Dialects.ORACLE),
                ExpirationStatementsOf.rowsWithZone(Dialects.ORACLE),
                OutboxStatementsOf.tables(Dialects.ORACLE))
                .flatMap(statements -> statements.values().stream());
    }

    /** What the driver makes of those that tell a time as a generated key. */
    static Stream<String> statementsAsTheDriverSendsThem() {
        return ClaimStatementsOf.table(Dialects.ORACLE).entrySet().stream()
                .filter(statement -> statement.getKey().matches("(reserve|confirm|release|extend)\\b.*"))
                .map(statement -> OracleLanguage.askTheDriver(
                        statement.getValue(), "getNewSql", "EXPIRES_AT", "CLAIM_TYPE"));
    }

    static Stream<String> ddl() {
        return OracleLanguage.ddl("oracle-claims");
    }

    @ParameterizedTest
    @MethodSource("statementsAsTheDriverSendsThem")
    void theDriverAddsWhatReturnsATime(String sql) {
        assertThat(sql).endsWith(" RETURNING EXPIRES_AT, CLAIM_TYPE INTO ?, ?");
    }

    @ParameterizedTest
    @MethodSource("statements")
    void bytesAreComparedWithBytes(String sql) {
        OracleLanguage.assertBytesAreComparedWithBytes(sql);
    }

    @ParameterizedTest
    @MethodSource({"statements", "ddl"})
    void shardingSphereTakesIt(String sql) {
        assertThatCode(() -> OracleGrammars.SHARDINGSPHERE.parse(sql)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource({"statements", "statementsAsTheDriverSendsThem", "ddl"})
    void pmdTakesIt(String sql) {
        assertThatCode(() -> OracleGrammars.PMD.parse(sql)).doesNotThrowAnyException();
    }
}
