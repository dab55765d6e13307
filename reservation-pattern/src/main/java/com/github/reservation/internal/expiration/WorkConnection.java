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
 * The connection that the user's work sees. It refuses to end the transaction, knows when the work begins to send statements, and
 * can cancel them.
 */
final class WorkConnection implements InvocationHandler {

    private static final Set<String> ENDING =
            Set.of("commit", "close", "abort", "setAutoCommit", "setTransactionIsolation");

    /** Beside all that prepare a statement. A savepoint must not be older than the change of the status, or would undo it. */
    private static final Set<String> STARTING = Set.of("createStatement", "setSavepoint", "unwrap");

    /** From this many on, closed statements are forgotten. */
    private static final int MANY_STATEMENTS = 64;

    /** Something that a database does. */
    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    private final String source;
    private final Connection target;
    private final Step beforeStatements;
    private final Collection<Statement> statements = new ConcurrentLinkedQueue<>();
    private final Collection<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    private @Nullable IllegalStateException misuse;

    /** The step runs before each statement or savepoint is made, and before the work gets at the connection of the driver. */
    WorkConnection(String source, Connection target, Step beforeStatements) {
        this.source = source;
        this.target = target;
        this.beforeStatements = beforeStatements;
    }

    Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                WorkConnection.class.getClassLoader(), new Class<?>[]{Connection.class}, this);
    }

    /** Returns the first attempt of the work to end the transaction, even if the work has caught it; null if there was none. */
    @Nullable IllegalStateException misuse() {
        return misuse;
    }

    /** Returns the failures of the statements, even if the work has caught them. */
    Collection<Throwable> failures() {
        return failures;
    }

    boolean hasFailed() {
        return !failures.isEmpty();
    }

    /** Lets the work use the connection no longer. */
    void end() {
        over = true;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return name.equals("equals") && arguments != null ? isSame(proxy, arguments[0]) : call(method, arguments);
        }
        if (over) {
            throw new IllegalStateException("The batch of source " + source
                    + " has ended: its work must not keep the connection, but called " + name + "()");
        }
        if (ENDING.contains(name) || (name.equals("rollback") && arguments == null)) {
            throw misused(name);
        }
        if (WorkObject.isUnwrapOfItself(proxy, method, arguments)) {
            return proxy;
        }
        if (name.startsWith("prepare") || STARTING.contains(name)) {
            beforeStatements.run();
        }
        Object result = call(method, arguments);
        if (result instanceof Statement statement) {
            remember(statement);
        }
        return WorkObject.inPlaceOf(result, (Connection) proxy, failures::add);
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

    private void remember(Statement statement) {
        if (statements.size() >= MANY_STATEMENTS) {
            statements.removeIf(WorkConnection::isClosed);
        }
        statements.add(statement);
    }

    private static boolean isClosed(Statement statement) {
        try {
            return statement.isClosed();
        } catch (SQLException e) {
            Log.debug("Could not find out whether a statement is closed", e);
            return true;
        }
    }

    /** Cancels the statements of the work that run. */
    void cancelStatements() {
        for (Statement statement : statements) {
            try {
                if (!statement.isClosed()) {
                    statement.cancel();
                }
            } catch (SQLException | RuntimeException e) {
                Log.debug("Could not cancel a statement of source " + source, e);
            }
        }
    }
}
