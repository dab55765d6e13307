// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.StatementsOf;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.jdbc.Ddl;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever we say to Oracle is Oracle's SQL, as far as two grammars of it can tell. */
@SideBySide
@Needs(Backend.ORACLE_MODE)
class OracleStatementsTest {

    private static final String JOB = "BEGIN\n    DBMS_SCHEDULER";

    /** What other databases say, and slips; a grammar that took them would be no proof. */
    private static final List<String> WRONG = List.of(
            "SELECT reservation_key FROM RESERVATION_LOCKS LIMIT 10",
            "SELECT reservation_key FROM RESERVATION_LOCKS WHERE",
            "SELECT reservation_key FROM RESERVATION_LOCKS WHERE holder = = ?",
            "SELECT reservation_key, FROM RESERVATION_LOCKS",
            "SELECT expires_at::DATE FROM RESERVATION_LOCKS",
            "SELECT `holder` FROM RESERVATION_LOCKS",
            "INSERT INTO RESERVATION_LOCKS (reservation_key) VALUES (?) ON CONFLICT (reservation_key) DO NOTHING",
            "INSERT INTO RESERVATION_LOCKS (reservation_key) VALUES (?) ON DUPLICATE KEY UPDATE holder = ?",
            "INSERT IGNORE INTO RESERVATION_LOCKS (reservation_key) VALUES (?)",
            "UPDATE RESERVATION_LOCKS SET holder ? WHERE reservation_key = ?",
            "UPDATE RESERVATION_LOCKS SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND",
            "UPDATE RESERVATION_LOCKS SET holder = ? WHERE reservation_key = ? LIMIT 1",
            "DELETE FROM RESERVATION_LOCKS WHERE (reservation_key = ?",
            "REPLACE INTO RESERVATION_LOCKS (reservation_key) VALUES (?)");

    static Stream<String> statements() {
        return StatementsOf.table(Dialects.ORACLE).values().stream();
    }

    /** What the driver makes of those that tell the fence as a generated key. */
    static Stream<String> statementsAsTheDriverSendsThem() {
        return StatementsOf.table(Dialects.ORACLE).entrySet().stream()
                .filter(statement -> statement.getKey().matches("(acquire|pass on)\\b.*"))
                .map(statement -> asTheDriverSendsIt(statement.getValue()));
    }

    private static String asTheDriverSendsIt(String sql) {
        return OracleLanguage.askTheDriver(sql, "getNewSql", "FENCE");
    }

    /** The DDL with what a DBA may want to run as well, which is commented out. */
    static Stream<String> ddl() {
        return OracleLanguage.ddl("oracle", "oracle-migration");
    }

    static Stream<String> blocks() {
        String uncommented = Ddl.of("oracle").replaceAll("(?m)^-- ?", "");
        return Stream.of(uncommented.substring(uncommented.indexOf(JOB), uncommented.lastIndexOf('/')).strip());
    }

    @ParameterizedTest
    @MethodSource("statementsAsTheDriverSendsThem")
    void theDriverAddsWhatReturnsTheFence(String sql) {
        assertThat(sql).endsWith(" RETURNING FENCE INTO ?");
    }

    /** It asks the server for the columns of that table. */
    @ParameterizedTest
    @MethodSource("statementsAsTheDriverSendsThem")
    void theDriverFindsTheTable(String sql) {
        assertThat(OracleLanguage.askTheDriver(sql.replace(" RETURNING FENCE INTO ?", ""), "getTableName", "FENCE"))
                .isEqualTo("RESERVATION_LOCKS");
    }

    /** Bytes are no text to an Oracle. H2, which runs the statements for it, has them compared with one all the same. */
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
    @MethodSource({"statements", "statementsAsTheDriverSendsThem", "ddl", "blocks"})
    void pmdTakesIt(String sql) {
        assertThatCode(() -> OracleGrammars.PMD.parse(sql)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @FieldSource("WRONG")
    void shardingSphereDoesNotTakeWhatIsWrong(String sql) {
        assertThatThrownBy(() -> OracleGrammars.SHARDINGSPHERE.parse(sql)).isInstanceOf(RuntimeException.class);
    }

    @ParameterizedTest
    @FieldSource("WRONG")
    void pmdDoesNotTakeWhatIsWrong(String sql) {
        assertThatThrownBy(() -> OracleGrammars.PMD.parse(sql)).isInstanceOf(RuntimeException.class);
    }
}
