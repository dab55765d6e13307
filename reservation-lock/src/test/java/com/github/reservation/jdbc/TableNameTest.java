// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.ReservationManager;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The name of the table is the only text from outside that becomes SQL. */
class TableNameTest {

    private final JdbcReservationManagerBuilder builder =
            ReservationManager.jdbc(new JdbcDataSource()).domain("orders");

    private static Stream<String> nastyNames() {
        return Stream.of(
                " ", "locks ", " locks", "lo cks", "locks\n", "locks\t", "locks\0", "locks\u00a0",
                "locks; DROP TABLE users", "locks;", "locks--", "locks/**/", "locks WHERE 1=1", "locks AS l",
                "locks, users", "(SELECT 1)", "locks)", "locks'", "'locks'", "\"locks\"", "`locks`", "[locks]",
                "lo\\cks", "locks?", "locks=1", "locks@link", "locks%", "{table}", "${table}", "{now}", "{0}",
                ".", ".locks", "locks.", "a..b", "a.b.c", "a.b.c.d", "a. b", "a.\"b\"", "a;b.c",
                "1locks", "_locks", "$locks", "#locks", "lo#cks", "a.1b", "-locks", "lo-cks",
                "l\u00f6cks", "\u043b\u043e\u043a", "lock\u0131", "\uff4cocks", "locks\u037e", "locks\u2019",
                "x".repeat(129), "x".repeat(129) + ".locks", "locks." + "x".repeat(129));
    }

    @ParameterizedTest
    @MethodSource("nastyNames")
    void whatIsNoPlainNameIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.tableName(name))
                .withMessageStartingWith("tableName must be an identifier, or two with a dot between them")
                .withMessageEndingWith("but is \"" + name + "\"");
    }

    @Test
    void nothingIsNoName() {
        assertThatNullPointerException()
                .isThrownBy(() -> builder.tableName(null))
                .withMessage("tableName must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.tableName(""))
                .withMessage("tableName must not be empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "LOCKS", "my_locks", "my_schema.my_locks", "A1$_.b2", "x"})
    void plainNamesAreTaken(String name) {
        assertThat(builder.tableName(name)).isSameAs(builder);
        builder.build().close();
    }
}
