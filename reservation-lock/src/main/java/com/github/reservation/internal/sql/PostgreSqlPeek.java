// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.store.Log;
import java.lang.reflect.Field;

/**
 * Stops pgjdbc from peeking at the socket for a millisecond after each notification before it returns it. That millisecond is
 * a third of the time that a key needs from one node to the next.
 *
 * <p>pgjdbc itself limits how often it peeks ({@code PGStream.hasMessagePending}, since 42.2.6): not before a time that it keeps
 * in a field. This class sets that time to the end of all times. No notification is lost: pgjdbc returns without a peek what has
 * arrived, and the next wait returns what arrives later. There is no setting for it. If a version does not have the fields or
 * does not allow access to them, notifications arrive a millisecond later and all else is the same.
 */
final class PostgreSqlPeek {

    private static final String CONNECTION = "org.postgresql.core.BaseConnection";
    private static final String EXECUTOR = "org.postgresql.core.QueryExecutorBase";
    private static final String STREAM = "org.postgresql.core.PGStream";

    private PostgreSqlPeek() {}

    /** Stops this connection of pgjdbc from peeking. */
    static void stop(Object connection) {
        ClassLoader loader = connection.getClass().getClassLoader();
        try {
            Object executor = Class.forName(CONNECTION, false, loader)
                    .getMethod("getQueryExecutor")
                    .invoke(connection);
            Object stream = field(Class.forName(EXECUTOR, false, loader), "pgStream").get(executor);
            field(Class.forName(STREAM, false, loader), "nextStreamAvailableCheckTime")
                    .setLong(stream, Long.MAX_VALUE);
        } catch (ReflectiveOperationException | RuntimeException e) {
            Log.debug("pgjdbc peeks before it returns a notification, which takes a millisecond", e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
