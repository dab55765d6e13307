// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
        SqlStatement statement = templates.statement("UPDATE {table} SET expires_at = {end} WHERE {free}");

        assertThat(statement.text()).isEqualTo("UPDATE LOCKS SET expires_at = CLOCK() + ? WHERE expires_at <= CLOCK()");
    }

    @Test
    void parametersKeepTheirOrderAlsoInsideFragments() {
        SqlStatement statement = templates.statement("SET a = :key, b = {end} WHERE c = :key");

        assertThat(statement.text()).isEqualTo("SET a = ?, b = CLOCK() + ? WHERE c = ?");
        assertThat(statement.parameters()).containsExactly("key", "micros", "key");
    }

    @Test
    void anOwnFragmentReplacesASharedOneInItsTemplateOnly() {
        assertThat(templates.statement("{free}", Map.of("row", "lease.")).text())
                .isEqualTo("lease.expires_at <= CLOCK()");
        assertThat(templates.statement("{free}").text()).isEqualTo("expires_at <= CLOCK()");
    }

    @Test
    void textThatLooksLikeAReferenceOfAReplacementStaysAsItIs() {
        assertThat(templates.statement("{own}", Map.of("own", "'$1 \\4E2D'")).text()).isEqualTo("'$1 \\4E2D'");
    }

    @Test
    void blankLinesAroundAStatementAreRemoved() {
        assertThat(templates.statement("\nSELECT 1{row}\n{row}\n").text()).isEqualTo("SELECT 1");
    }

    @Test
    void anUnknownFragmentIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("UPDATE {tabel}"))
                .withMessageContaining("{tabel}");
    }

    @Test
    void anUnknownParameterIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("SET a = :kee"))
                .withMessageContaining(":kee");
    }

    @Test
    void anOwnFragmentThatTheTemplateDoesNotUseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("UPDATE {table}", Map.of("condition", "1 = 0")))
                .withMessageContaining("{condition}");
    }

    @Test
    void aFragmentThatContainsItselfIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> templates.statement("{a}", Map.of("a", "x {b}", "b", "y {a}")))
                .withMessageContaining("contains itself");
    }

    @Test
    void aSharedFragmentThatNoTemplateUsesIsRefused() {
        templates.statement("UPDATE {table} SET a = {end}");

        assertThatIllegalStateException()
                .isThrownBy(templates::requireAllUsed)
                .withMessageContaining("free")
                .withMessageContaining("row");

        templates.statement("WHERE {free}");
        assertThatCode(templates::requireAllUsed).doesNotThrowAnyException();
    }
}
