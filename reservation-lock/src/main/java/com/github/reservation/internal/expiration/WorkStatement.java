// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A statement that the user's work sees. It reports its failures, and returns the connection that the work sees. */
record WorkStatement(Statement target, Connection connection, Consumer<SQLException> failures)
        implements InvocationHandler {

    /** Returns the statement as the type that the method of the connection returns. */
    Object as(Class<?> type) {
        return Proxy.newProxyInstance(WorkStatement.class.getClassLoader(), new Class<?>[]{type}, this);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Equality is what this compares by.
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("getConnection")) {
            return connection;
        }
        if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof SQLException failure) {
                failures.accept(failure);
            }
            throw e.getTargetException();
        }
    }
}
