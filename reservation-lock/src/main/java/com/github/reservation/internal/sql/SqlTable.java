// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where a table of ours is; a builder has validated it.
 *
 * @param dialect the database; empty to find it out from the first connection
 * @param queryTimeout how long one statement may take
 * @param ddl what the name of its DDL adds to that of the database
 */
public record SqlTable(
        DataSource dataSource, Optional<Dialect> dialect, TableName name, Duration queryTimeout, String ddl) {

    /** The tables of the second jar are found where both are on the class path. */
    private static final String BOTH_JARS =
            "java -cp reservation-lock.jar:reservation-pattern.jar com.github.reservation.jdbc.Ddl ddl ";

    /**
     * Returns the table that the options of a builder describe.
     *
     * @param database the exported constant of the database; null to find it out from the first connection
     */
    public static SqlTable of(
            DataSource dataSource, @Nullable Enum<?> database, TableName name, Duration queryTimeout, String ddl) {
        Optional<Dialect> dialect = Optional.ofNullable(database).map(known -> Dialects.named(known.name()));
        return new SqlTable(dataSource, dialect, name, queryTimeout, ddl);
    }

    /** Returns the time limit of a statement if drivers can count it: in whole seconds. */
    public static Duration requireSeconds(String name, Duration limit) {
        Objects.requireNonNull(limit, name + " must not be null");
        if (limit.toSeconds() < 1 || limit.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " must be at least 1 second and at most " + Integer.MAX_VALUE
                    + " seconds, but is " + limit);
        }
        return limit;
    }

    /** Returns the command that prints the DDL of the table. */
    String printCommand(Dialect known) {
        return ddl.isEmpty() ? known.printCommand() : BOTH_JARS + known.name() + ddl;
    }
}
