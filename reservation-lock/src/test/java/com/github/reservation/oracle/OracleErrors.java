// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import java.lang.reflect.Method;
import java.sql.SQLException;

/**
 * Errors as Oracle's driver throws them: of the class and with the SQL state that it has for an ORA number in its own table,
 * which no interface of it shows.
 */
public final class OracleErrors {

    private OracleErrors() {}

    /** Returns the exception that the driver throws for the number. */
    public static SQLException ora(int number) {
        return ora(number, "Scripted");
    }

    static SQLException ora(int number, String message) {
        try {
            Method find = Class.forName("oracle.jdbc.driver.DatabaseError")
                    .getDeclaredMethod("findSQLStateMapping", int.class);
            find.setAccessible(true);
            Object mapping = find.invoke(null, number);
            Method create = mapping.getClass().getDeclaredMethod("newSQLException", String.class, int.class);
            create.setAccessible(true);
            return (SQLException) create.invoke(mapping, "ORA-%05d: %s".formatted(number, message), number);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("Oracle's driver keeps its table in another way now", e);
        }
    }
}
