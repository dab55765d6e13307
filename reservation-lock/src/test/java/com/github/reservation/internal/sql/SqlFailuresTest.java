// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the codes of the vendors mean: PostgreSQL's appendix A, MySQL's and MariaDB's error references, H2's ErrorCode. */
class SqlFailuresTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
            40001, CONTENTION
            40P01, CONTENTION
            40003, OUTCOME_UNKNOWN
            55P03, CONTENTION
            57014, OUTCOME_UNKNOWN
            57P01, OUTCOME_UNKNOWN
            57P02, OUTCOME_UNKNOWN
            57P03, UNAVAILABLE
            57P04, OUTCOME_UNKNOWN
            57P05, OUTCOME_UNKNOWN
            08000, OUTCOME_UNKNOWN
            08003, OUTCOME_UNKNOWN
            08006, OUTCOME_UNKNOWN
            08P01, OUTCOME_UNKNOWN
            25006, UNAVAILABLE
            53100, UNAVAILABLE
            53200, UNAVAILABLE
            53300, UNAVAILABLE
            22001, MISCONFIGURED
            23502, MISCONFIGURED
            3F000, MISCONFIGURED
            42P01, MISCONFIGURED
            42P05, MISCONFIGURED
            26000, MISCONFIGURED
            42501, MISCONFIGURED
            42703, MISCONFIGURED
            58030, OUTCOME_UNKNOWN
            XX000, OUTCOME_UNKNOWN
            """)
    void statesOfPostgreSql(String state, Kind kind) {
        assertThat(SqlFailures.kindOf(new SQLException("", state), Dialects.POSTGRESQL)).isEqualTo(kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"42P05", "26000"})
    void aPoolerThatSharesSessionsHasARemedyOfItsOwn(String state) {
        assertThat(Dialects.POSTGRESQL.remedyOf(new SQLException("", state)))
                .hasValueSatisfying(remedy -> assertThat(remedy).contains("prepareThreshold=0"));
        assertThat(Dialects.POSTGRESQL.remedyOf(new SQLException("", "42P01"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            1213, 40001, CONTENTION
            1205, HY000, CONTENTION
            1020, HY000, CONTENTION
            1044, 42000, MISCONFIGURED
            1049, 42000, MISCONFIGURED
            1054, 42S22, MISCONFIGURED
            1142, 42000, MISCONFIGURED
            1146, 42S02, MISCONFIGURED
            1267, HY000, MISCONFIGURED
            1366, HY000, MISCONFIGURED
            1366, 22007, MISCONFIGURED
            1406, 22001, MISCONFIGURED
            1665, HY000, MISCONFIGURED
            1040, 08004, UNAVAILABLE
            1203, 42000, UNAVAILABLE
            1226, 42000, UNAVAILABLE
            1290, HY000, UNAVAILABLE
            1792, 25006, UNAVAILABLE
            1836, HY000, UNAVAILABLE
            1021, HY000, UNAVAILABLE
            1114, HY000, UNAVAILABLE
            3819, HY000, MISCONFIGURED
            1053, 08S01, OUTCOME_UNKNOWN
            1160, 08S01, OUTCOME_UNKNOWN
            1180, HY000, OUTCOME_UNKNOWN
            1317, 70100, OUTCOME_UNKNOWN
            1927, 70100, OUTCOME_UNKNOWN
            1969, 70100, OUTCOME_UNKNOWN
            3024, HY000, OUTCOME_UNKNOWN
            0,    08000, OUTCOME_UNKNOWN
            """)
    void codesOfMySqlAndMariaDb(int code, String state, Kind kind) {
        assertThat(SqlFailures.kindOf(new SQLException("", state, code), Dialects.MYSQL)).isEqualTo(kind);
        assertThat(SqlFailures.kindOf(new SQLException("", state, code), Dialects.MARIADB)).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            40001, 40001, CONTENTION
            50200, HYT00, CONTENTION
            90131, 90131, CONTENTION
            42102, 42S02, MISCONFIGURED
            42103, 42S03, MISCONFIGURED
            42104, 42S04, MISCONFIGURED
            42122, 42S22, MISCONFIGURED
            90079, 90079, MISCONFIGURED
            90096, 90096, MISCONFIGURED
            22001, 22001, MISCONFIGURED
            90020, 90020, UNAVAILABLE
            90097, 90097, UNAVAILABLE
            57014, 57014, OUTCOME_UNKNOWN
            90007, 90007, OUTCOME_UNKNOWN
            90028, 90028, OUTCOME_UNKNOWN
            90031, 90031, OUTCOME_UNKNOWN
            90067, 90067, OUTCOME_UNKNOWN
            90098, 90098, OUTCOME_UNKNOWN
            90121, 90121, OUTCOME_UNKNOWN
            50000, HY000, OUTCOME_UNKNOWN
            """)
    void codesOfH2(int code, String state, Kind kind) {
        assertThat(SqlFailures.kindOf(new SQLException("", state, code), Dialects.H2)).isEqualTo(kind);
    }

    @Test
    void aRollbackWithoutAStateIsContention() {
        assertThat(SqlFailures.kindOf(new SQLTransactionRollbackException(), Dialects.POSTGRESQL))
                .isEqualTo(Kind.CONTENTION);
    }

    @Test
    void aStatementThatTheDatabaseDoesNotUnderstandIsMisconfigured() {
        assertThat(SqlFailures.kindOf(new SQLSyntaxErrorException("", "90022", 90022), Dialects.ORACLE))
                .isEqualTo(Kind.MISCONFIGURED);
    }

    @Test
    void anErrorThatSaysNothingIsLookedAt() {
        assertThat(SqlFailures.kindOf(new SQLException(), Dialects.POSTGRESQL)).isEqualTo(Kind.OUTCOME_UNKNOWN);
    }

    @Test
    void duplicateKeysAreKnown() {
        assertThat(Dialects.POSTGRESQL.isDuplicateKey(new SQLException("", "23505"))).isTrue();
        assertThat(Dialects.MYSQL.isDuplicateKey(new SQLException("", "23000", 1062))).isTrue();
        assertThat(Dialects.MARIADB.isDuplicateKey(new SQLException("", "23000", 1062))).isTrue();
        assertThat(Dialects.H2.isDuplicateKey(new SQLException("", "23505", 23505))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            0,     28P01, MISCONFIGURED
            0,     28000, MISCONFIGURED
            0,     3D000, MISCONFIGURED
            0,     42501, MISCONFIGURED
            1044,  42000, MISCONFIGURED
            1045,  28000, MISCONFIGURED
            1049,  42000, MISCONFIGURED
            1130,  HY000, MISCONFIGURED
            28000, 28000, MISCONFIGURED
            90146, 90146, MISCONFIGURED
            0,     08001, UNAVAILABLE
            0,     53300, UNAVAILABLE
            0,     57P03, UNAVAILABLE
            1040,  08004, UNAVAILABLE
            1203,  42000, UNAVAILABLE
            1226,  42000, UNAVAILABLE
            90020, 90020, UNAVAILABLE
            0,     ,      UNAVAILABLE
            """)
    void aFailureToConnectLeavesNothingInDoubt(int code, String state, Kind kind) {
        assertThat(SqlFailures.kindOfConnecting(new SQLException("", state, code))).isEqualTo(kind);
    }
}
