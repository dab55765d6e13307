// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The notifications that arrive on a connection. JDBC has no method for them, so they come from pgjdbc's own interface: by
 * reflection, so that the library compiles and runs without pgjdbc.
 */
final class PostgreSqlNotifications {

    private static final String CONNECTION = "org.postgresql.PGConnection";
    private static final String NOTIFICATION = "org.postgresql.PGNotification";

    private final Object connection;
    private final Method next;
    private final Method payload;

    /** Fails if the connection is not one of pgjdbc. */
    PostgreSqlNotifications(Connection connection) throws SQLException, ReflectiveOperationException {
        ClassLoader loader = connection.unwrap(Connection.class).getClass().getClassLoader();
        Class<?> type = Class.forName(CONNECTION, false, loader);
        this.connection = connection.unwrap(type);
        this.next = type.getMethod("getNotifications", int.class);
        this.payload = Class.forName(NOTIFICATION, false, loader).getMethod("getParameter");
    }

    /** Waits for notifications until the timeout; returns their payloads, none after a timeout. */
    String[] await(Duration timeout) throws SQLException, ReflectiveOperationException {
        Object[] notifications;
        try {
            notifications = (Object[]) next.invoke(connection, (int) timeout.toMillis());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw e;
        }
        String[] payloads = new String[notifications == null ? 0 : notifications.length];
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = (String) payload.invoke(notifications[i]);
        }
        return payloads;
    }
}
