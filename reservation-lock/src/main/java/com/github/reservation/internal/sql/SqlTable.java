// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

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

    /** Returns the command that prints the DDL of the table. */
    String printCommand(Dialect known) {
        return ddl.isEmpty() ? known.printCommand() : BOTH_JARS + known.name() + ddl;
    }
}
