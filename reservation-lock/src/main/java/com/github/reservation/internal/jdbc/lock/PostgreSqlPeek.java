// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.Log;
import java.lang.reflect.Field;

/**
 * Spares the millisecond for which pgjdbc peeks at the socket after each notification before it hands it out: by then a third
 * of a hand-over would be spent on it.
 *
 * <p>pgjdbc has a rule of its own not to peek too often ({@code PGStream.hasMessagePending}, since 42.2.6): not again before a
 * moment that it keeps in a field. We put that moment off for good. What has arrived already is seen without a peek, and what
 * arrives later is there when we wait for the next one, so nothing is lost. There is no setting that does this; if a version
 * has not got the fields, or does not let us at them, notifications are a millisecond later and all else is the same.
 */
final class PostgreSqlPeek {

    private static final String CONNECTION = "org.postgresql.core.BaseConnection";
    private static final String EXECUTOR = "org.postgresql.core.QueryExecutorBase";
    private static final String STREAM = "org.postgresql.core.PGStream";

    private PostgreSqlPeek() {}

    /** Has this connection of pgjdbc peek no more. */
    static void spare(Object connection) {
        ClassLoader loader = connection.getClass().getClassLoader();
        try {
            Object executor = Class.forName(CONNECTION, false, loader)
                    .getMethod("getQueryExecutor")
                    .invoke(connection);
            Object stream = field(Class.forName(EXECUTOR, false, loader), "pgStream").get(executor);
            field(Class.forName(STREAM, false, loader), "nextStreamAvailableCheckTime")
                    .setLong(stream, Long.MAX_VALUE);
        } catch (ReflectiveOperationException | RuntimeException e) {
            Log.debug("pgjdbc will peek before it tells of a call, which takes a millisecond", e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
