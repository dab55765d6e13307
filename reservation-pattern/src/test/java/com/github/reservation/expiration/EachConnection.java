// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A data source that passes each of its connections through a function. */
public final class EachConnection {

    private EachConnection() {}

    public static DataSource of(DataSource real, UnaryOperator<Connection> function) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            Object result = call(method, real, arguments);
            return result instanceof Connection connection ? function.apply(connection) : result;
        });
    }

    public static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    public static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(EachConnection.class.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
