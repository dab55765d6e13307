// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A statement, a result or the metadata that the user's work sees. It reports its failures, and leads to no other connection than the
 * one that the work sees.
 */
record WorkObject(Object target, Connection connection, Consumer<SQLException> failures) implements InvocationHandler {

    /** The types that lead to a connection, subtypes first. */
    private static final List<Class<?>> GUARDED = List.of(
            CallableStatement.class,
            PreparedStatement.class,
            Statement.class,
            ResultSet.class,
            DatabaseMetaData.class);

    /** Returns what the work sees in place of something that a method returned. */
    static @Nullable Object inPlaceOf(
            @Nullable Object returned, Connection connection, Consumer<SQLException> failures) {
        for (Class<?> type : GUARDED) {
            if (returned != null && type.isInstance(returned)) {
                return Proxy.newProxyInstance(
                        WorkObject.class.getClassLoader(),
                        new Class<?>[]{type},
                        new WorkObject(returned, connection, failures));
            }
        }
        return returned;
    }

    /** Returns whether a method asks for an interface that a proxy has: then there is no need to get at what is behind it. */
    static boolean isUnwrapOfItself(Object proxy, Method method, Object @Nullable [] arguments) {
        return method.getName().equals("unwrap") && arguments != null
                && arguments[0] instanceof Class<?> type && type.isInstance(proxy);
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
        if (isUnwrapOfItself(proxy, method, arguments)) {
            return proxy;
        }
        try {
            return inPlaceOf(method.invoke(target, arguments), connection, failures);
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof SQLException failure) {
                failures.accept(failure);
            }
            throw e.getTargetException();
        }
    }
}
