// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.base.Log;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The connection that the user's work sees. It refuses to end the transaction, and can cancel the statements that the work made.
 * Its statements are those of the driver: whoever asks one of them for its connection gets past this one.
 */
final class WorkConnection implements InvocationHandler {

    private static final Set<String> ENDING =
            Set.of("commit", "close", "abort", "setAutoCommit", "setTransactionIsolation");

    private final String source;
    private final Connection target;
    private final Collection<Statement> statements = new ConcurrentLinkedQueue<>();
    private @Nullable IllegalStateException misuse;

    WorkConnection(String source, Connection target) {
        this.source = source;
        this.target = target;
    }

    Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                WorkConnection.class.getClassLoader(), new Class<?>[]{Connection.class}, this);
    }

    /** Returns the first attempt of the work to end the transaction, even if the work has caught it; null if there was none. */
    @Nullable IllegalStateException misuse() {
        return misuse;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return name.equals("equals") && arguments != null ? isSame(proxy, arguments[0]) : call(method, arguments);
        }
        if (ENDING.contains(name) || (name.equals("rollback") && arguments == null)) {
            throw misused(name);
        }
        Object result = call(method, arguments);
        if (result instanceof Statement statement) {
            statements.add(statement);
        }
        return result;
    }

    @SuppressWarnings("ReferenceEquality") // Equality is what this compares by.
    private static Object isSame(Object proxy, Object other) {
        return proxy == other;
    }

    private IllegalStateException misused(String name) {
        IllegalStateException e = new IllegalStateException("The work of source " + source + " called " + name
                + "() on the connection of its batch. The job ends the transaction and closes the connection itself");
        if (misuse == null) {
            misuse = e;
        }
        return e;
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** Cancels the statements of the work. It does not ask which of them are closed: MySQL's driver answers when none runs. */
    void cancelStatements() {
        for (Statement statement : statements) {
            try {
                statement.cancel();
            } catch (SQLException | RuntimeException e) {
                Log.debug("Could not cancel a statement of source " + source, e);
            }
        }
    }
}
