// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ParamsTest {

    private final List<String> calls = new ArrayList<>();
    private final PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[]{PreparedStatement.class}, (proxy, method, arguments) -> {
                calls.add(method.getName() + Arrays.toString(arguments));
                return null;
            });
    private final SqlTemplates templates = new SqlTemplates(Map.of(), Set.of("a", "b", "c"));

    private void bind(String template, Params params) throws SQLException {
        templates.statement("test", template).bind(statement, params);
    }

    @Test
    void aStatementBindsWhatItNames_inTheTypeOfTheValue() throws SQLException {
        bind(":b :a :b", Params.of("a", "text", "b", 1L, "c", "unused"));
        bind(":a :b :c", Params.of("a", 1).and("b", true, "c", null));
        bind(":a", Params.of("a", Duration.ofMillis(2)));

        assertThat(calls).containsExactly(
                "setLong[1, 1]", "setString[2, text]", "setLong[3, 1]",
                "setInt[1, 1]", "setBoolean[2, true]", "setString[3, null]",
                "setLong[1, 2000]");
    }

    @Test
    void theLastElementFillsAListUp() throws SQLException {
        bind(":a :b :c :a :b :a :b", Params.of("a", List.of("1", "2"), "b", List.of("x", "y"), "c", "z"));

        assertThat(calls).containsExactly(
                "setString[1, 1]", "setString[2, x]", "setString[3, z]", "setString[4, 2]", "setString[5, y]",
                "setString[6, 2]", "setString[7, y]");
    }

    @Test
    void aMissingValueIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bind(":a :b", Params.of("a", 1)))
                .withMessageContaining(":b");
    }
}
