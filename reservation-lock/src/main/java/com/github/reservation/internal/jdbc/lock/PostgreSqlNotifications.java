// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The notifications that arrive on a connection. JDBC has no word for them: they come from pgjdbc's own interface, by
 * reflection, so that the library compiles and runs without pgjdbc.
 */
final class PostgreSqlNotifications {

    private static final String CONNECTION = "org.postgresql.PGConnection";
    private static final String NOTIFICATION = "org.postgresql.PGNotification";

    private final Object connection;
    private final Method next;
    private final Method message;

    /** Fails if the connection is not one of pgjdbc. */
    PostgreSqlNotifications(Connection connection) throws SQLException, ReflectiveOperationException {
        ClassLoader loader = connection.unwrap(Connection.class).getClass().getClassLoader();
        Class<?> type = Class.forName(CONNECTION, false, loader);
        this.connection = connection.unwrap(type);
        PostgreSqlPeek.spare(this.connection);
        this.next = type.getMethod("getNotifications", int.class);
        this.message = Class.forName(NOTIFICATION, false, loader).getMethod("getParameter");
    }

    /** Waits until there are any, but not longer than that; returns what they say. */
    String[] await(Duration patience) throws SQLException, ReflectiveOperationException {
        Object[] notifications;
        try {
            notifications = (Object[]) next.invoke(connection, (int) patience.toMillis());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw e;
        }
        String[] messages = new String[notifications == null ? 0 : notifications.length];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = (String) message.invoke(notifications[i]);
        }
        return messages;
    }
}
