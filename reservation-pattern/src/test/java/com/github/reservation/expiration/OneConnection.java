// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A data source that gives out the same connection again and again. To close it does nothing. */
final class OneConnection {

    private OneConnection() {}

    static DataSource of(Connection connection) {
        Connection unclosed = proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                return null;
            }
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return proxy(DataSource.class, (proxy, method, arguments) -> unclosed);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(OneConnection.class.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
