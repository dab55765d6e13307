// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SqlTemplatesTest {

    private static final Set<String> PARAMETERS = Set.of("key", "micros");

    private final SqlTemplates templates = new SqlTemplates(
            Map.of(
                    "table", "LOCKS",
                    "free", "{row}expires_at <= {now}",
                    "row", "",
                    "now", "CLOCK()",
                    "end", "{now} + :micros"),
            PARAMETERS);

    @Test
    void fragmentsAreExpandedWhateverTheirOrder() {
        SqlStatement statement = templates.statement("test", "UPDATE {table} SET expires_at = {end} WHERE {free}");

        assertThat(statement.text()).isEqualTo("UPDATE LOCKS SET expires_at = CLOCK() + ? WHERE expires_at <= CLOCK()");
    }

    @Test
    void parametersKeepTheirOrderAlsoInsideFragments() {
        SqlStatement statement = templates.statement("test", "SET a = :key, b = {end} WHERE c = :key");

        assertThat(statement.text()).isEqualTo("SET a = ?, b = CLOCK() + ? WHERE c = ?");
        assertThat(statement.parameters()).containsExactly("key", "micros", "key");
    }

    @Test
    void anOwnFragmentReplacesASharedOneInItsTemplateOnly() {
        assertThat(templates.statement("test", "{free}", Map.of("row", "lease.")).text())
                .isEqualTo("lease.expires_at <= CLOCK()");
        assertThat(templates.statement("test", "{free}").text()).isEqualTo("expires_at <= CLOCK()");
    }

    @Test
    void textThatLooksLikeAReferenceOfAReplacementStaysAsItIs() {
        assertThat(templates.statement("test", "{own}", Map.of("own", "'$1 \\4E2D'")).text()).isEqualTo("'$1 \\4E2D'");
    }

    @Test
    void blankLinesAroundAStatementAreRemoved() {
        assertThat(templates.statement("test", "\nSELECT 1{row}\n{row}\n").text()).isEqualTo("SELECT 1");
    }

    @Test
    void anUnknownFragmentIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("test", "UPDATE {tabel}"))
                .withMessageContaining("{tabel}");
    }

    @Test
    void anUnknownParameterIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("test", "SET a = :kee"))
                .withMessageContaining(":kee");
    }

    @Test
    void anOwnFragmentThatTheTemplateDoesNotUseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("test", "UPDATE {table}", Map.of("condition", "1 = 0")))
                .withMessageContaining("{condition}");
    }

    @Test
    void aFragmentThatContainsItselfIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("test", "{a}", Map.of("a", "x {b}", "b", "y {a}")))
                .withMessageContaining("contains itself");
    }

    @Test
    void aSharedFragmentThatNoTemplateUsesIsRefused() {
        templates.statement("test", "UPDATE {table} SET a = {end}");

        assertThatIllegalStateException()
                .isThrownBy(templates::requireAllUsed)
                .withMessageContaining("free")
                .withMessageContaining("row");

        templates.statement("test", "WHERE {free}");
        assertThatCode(templates::requireAllUsed).doesNotThrowAnyException();
    }

    @Test
    void statementsAreKeptWithTheirPurpose_inTheirOrder() {
        templates.statement("change", "UPDATE {table}");
        templates.list("delete", "DELETE FROM {table} WHERE id IN ({list})", ":key");

        assertThat(templates.statements())
                .extracting(SqlStatement::purpose, SqlStatement::text)
                .containsExactly(
                        tuple("change", "UPDATE LOCKS"), tuple("delete", "DELETE FROM LOCKS WHERE id IN (?)"));
    }

    @Test
    void aListHasAStatementForAFewSizes_andIsCutIfItIsTooLong() {
        SqlList list = templates.list(
                "find", "WHERE {list}", Map.of(), List.of(1, 3), "(a = :key AND b = :micros)", " OR ");

        List<Params> parts = list.parts(Params.of("key", List.of(1, 2, 3, 4), "micros", List.of(5, 6, 7, 8)));

        assertThat(parts).extracting(part -> list.forSizeOf(part).text())
                .containsExactly("WHERE (a = ? AND b = ?) OR (a = ? AND b = ?) OR (a = ? AND b = ?)",
                        "WHERE (a = ? AND b = ?)");
        assertThat(list.forSizeOf(Params.of("key", List.of(1, 2))).parameters()).hasSize(6);
        assertThat(list.parts(Params.of("key", List.of()))).isEmpty();
    }
}
