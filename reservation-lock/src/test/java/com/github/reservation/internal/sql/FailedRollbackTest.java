// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Calls that fail in the middle of a transaction. To turn autocommit on then would commit what is half done. */
class FailedRollbackTest {

    private final List<String> calls = new ArrayList<>();
    private final Set<String> failing = new HashSet<>();
    private final Transactions transactions =
            new Transactions(proxy(DataSource.class, (proxy, method, arguments) -> connection()));

    private Connection connection() {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            boolean tells = method.getReturnType() == void.class && !method.getName().equals("abort");
            String call = method.getName() + (tells && arguments != null ? Arrays.toString(arguments) : "");
            calls.add(call);
            if (failing.contains(call)) {
                throw new SQLException(call + " failed");
            }
            return switch (method.getName()) {
                case "getAutoCommit" -> true;
                case "getTransactionIsolation" -> Connection.TRANSACTION_SERIALIZABLE;
                default -> null;
            };
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(FailedRollbackTest.class.getClassLoader(), new Class<?>[]{type}, handler));
    }

    @Test
    void aConnectionThatCannotRollBack_isAbortedAndNotRestored() {
        failing.add("rollback");

        assertThatIllegalStateException().isThrownBy(() -> transactions.run(tx -> {
            throw new IllegalStateException("poison");
        })).satisfies(e -> assertThat(e.getSuppressed()).singleElement()
                .satisfies(suppressed -> assertThat(suppressed).hasMessage("rollback failed")));

        assertThat(calls).containsSubsequence("rollback", "abort", "close").doesNotContain("setAutoCommit[true]");
    }

    @Test
    void aConnectionThatRollsBack_isRestored() {
        failing.add("commit");

        assertThatThrownBy(() -> transactions.run(tx -> "done")).hasMessage("commit failed");

        assertThat(calls).containsSubsequence("rollback", "setAutoCommit[true]", "setTransactionIsolation[8]", "close")
                .doesNotContain("abort");
    }

    @Test
    void aTransactionThatCannotBegin_restoresTheIsolationLevel() {
        failing.add("setAutoCommit[false]");

        assertThatThrownBy(() -> transactions.run(tx -> "done")).hasMessage("setAutoCommit[false] failed");

        assertThat(calls).containsSubsequence("setTransactionIsolation[2]", "setTransactionIsolation[8]", "close");
    }
}
